import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  DoneResponse,
  LogoutDto,
  MeResponse,
  RefreshDto,
  SessionListResponse,
  TokensResponse,
} from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionCookie } from '../../sessions/session-cookie/session-cookie.ts';
import { OwnSessionsService } from './own-sessions.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class OwnSessionsController {
  constructor(
    private readonly ownSessions: OwnSessionsService,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /**
   * Renews a session. The refresh token can be used once; the response contains the next one. If a token is used again
   * more than ten seconds later, the whole session ends, because one of its two users must be a thief. Without a token
   * in the body, the session cookie is used and renewed; the request must then come from a page of this product.
   */
  @Post('refresh')
  @Public()
  @HttpCode(200)
  @ApiBody({ type: RefreshDto, required: false })
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('refresh_token_invalid', 'origin_denied')
  async refresh(
    @CurrentCaller() caller: Caller,
    @Body() body: RefreshDto,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokensResponse> {
    const { refreshToken, inCookie } = this.sessionCookie.shown(body.refreshToken, headers);
    const tokens = await this.ownSessions.refresh(caller, refreshToken);
    return this.sessionCookie.deliver(reply, { ...tokens, inCookie: inCookie || tokens.inCookie });
  }

  /** Ends this session. Its tokens stop working within five seconds. */
  @Post('logout')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiBody({ type: LogoutDto, required: false })
  @ApiOkResponse({ type: DoneResponse })
  logout(
    @CurrentCaller() caller: UserCaller,
    @Body() _: LogoutDto,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DoneResponse> {
    this.sessionCookie.clear(reply, headers);
    return this.ownSessions.signOut(caller);
  }

  /**
   * Ends every session of the caller, on all devices. A session opened by an identity provider ends only those of its
   * own membership.
   */
  @Post('logout-all')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: DoneResponse })
  logoutAll(
    @CurrentCaller() caller: UserCaller,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DoneResponse> {
    this.sessionCookie.clear(reply, headers);
    return this.ownSessions.signOutEverywhere(caller);
  }

  /**
   * Returns who is signed in, in which membership, with which permissions, and until when the second factor is valid.
   */
  @Get('me')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: MeResponse })
  me(@CurrentCaller() caller: UserCaller): Promise<MeResponse> {
    return this.ownSessions.getMe(caller);
  }
}

@ApiTags('sign-in')
@Controller('auth/sessions')
export class SessionListController {
  constructor(private readonly ownSessions: OwnSessionsService) {}

  /**
   * Lists the caller's active sessions, newest first. A session opened by single sign-on sees only those of its own
   * membership.
   */
  @Get()
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @ApiOkResponse({ type: SessionListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<SessionListResponse> {
    return this.ownSessions.list(caller);
  }

  /** Ends one of the caller's sessions. Its tokens stop working within five seconds. */
  @Delete(':id')
  @Requires(null, { sessionOnly: true, audit: 'session.revoke', evenIfPartnerInactive: true })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('session_not_found')
  end(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.ownSessions.end(caller, id);
  }
}
