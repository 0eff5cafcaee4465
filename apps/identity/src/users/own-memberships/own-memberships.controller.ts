import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { OwnMembershipListResponse, SwitchMembershipDto, TokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionCookie } from '../../sessions/session-cookie/session-cookie.ts';
import { OwnMembershipsService } from './own-memberships.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class OwnMembershipsController {
  constructor(
    private readonly ownMemberships: OwnMembershipsService,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /** Lists the memberships that this session can switch to, and its current one. */
  @Get('memberships')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @ApiOkResponse({ type: OwnMembershipListResponse })
  memberships(@CurrentCaller() caller: UserCaller): Promise<OwnMembershipListResponse> {
    return this.ownMemberships.list(caller);
  }

  /**
   * Switches to another membership of the caller. A new session replaces this one, whose tokens stop working. A session
   * with a cookie keeps its refresh token in the cookie; the request must then come from a page of this product.
   */
  @Post('membership')
  @Requires(null, { sessionOnly: true, audit: 'user.login', idempotent: false, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('permission_denied', 'sso_enforced', 'mfa_required', 'origin_denied')
  async switch(
    @CurrentCaller() caller: UserCaller,
    @Body() { membershipId }: SwitchMembershipDto,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokensResponse> {
    const isOwnOrigin = this.sessionCookie.isOwnOrigin(headers);
    return this.sessionCookie.deliver(reply, await this.ownMemberships.switch(caller, { membershipId, isOwnOrigin }));
  }
}
