import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, InvitationResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OpenInvitationsService } from './open-invitations.service.ts';
import { REACH_PROBLEMS } from '../../people/grants/placement.ts';
import { MEMBERSHIP_PROBLEMS } from '../../people/memberships/membership-grants.ts';

@ApiTags('users')
@Controller('users/:id/invitation')
export class UserInvitationsController {
  constructor(private readonly openInvitations: OpenInvitationsService) {}

  /** Reads the open invitation of a user. */
  @Get()
  @Requires('users:read')
  @ApiOkResponse({ type: InvitationResponse })
  @ApiProblems('invitation_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<InvitationResponse> {
    return this.openInvitations.get(caller, id);
  }

  /**
   * Resends an open invitation. The link of the earlier e-mail stops working, and the new one is valid for seven days.
   * The caller becomes the author, so the caller must be able to grant what the invitation offers. A tenant can send at
   * most five invitations a day to one address.
   */
  @Post()
  @Requires('users:write', { mfa: true, audit: 'user.invite.resend' })
  @HttpCode(200)
  @ApiOkResponse({ type: InvitationResponse })
  @ApiProblems(...MEMBERSHIP_PROBLEMS, 'invitation_not_found', 'conflict', 'rate_limited')
  resend(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<InvitationResponse> {
    return this.openInvitations.resend(caller, id);
  }

  /** Withdraws the open invitation of a user. Its link stops working. */
  @Delete()
  @Requires('users:write', { mfa: true, audit: 'user.invite.withdraw' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems(...REACH_PROBLEMS, 'invitation_not_found')
  withdraw(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.openInvitations.withdraw(caller, id);
  }
}
