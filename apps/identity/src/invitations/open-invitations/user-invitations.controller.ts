import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, InvitationResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OpenInvitationsService } from './open-invitations.service.ts';

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
  @ApiProblems(
    'invitation_not_found',
    'conflict',
    'rate_limited',
    'role_not_found',
    'role_not_grantable',
    'partner_not_found',
    'organization_not_found',
    'organization_frozen',
    'partner_access_denied',
    'org_access_denied',
    'site_access_denied',
    'scope_denied',
    'org_required',
    'partner_required',
  )
  resend(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<InvitationResponse> {
    return this.openInvitations.resend(caller, id);
  }

  /** Withdraws the open invitation of a user. Its link stops working. */
  @Delete()
  @Requires('users:write', { mfa: true, audit: 'user.invite.withdraw' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('invitation_not_found')
  withdraw(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.openInvitations.withdraw(caller, id);
  }
}
