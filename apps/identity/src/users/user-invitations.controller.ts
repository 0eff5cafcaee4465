import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, InvitationResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { GetInvitation } from '../invitations/get-invitation.ts';
import { WithdrawInvitation } from '../invitations/withdraw-invitation.ts';

@ApiTags('users')
@Controller('users/:id/invitation')
export class UserInvitationsController {
  constructor(
    private readonly getInvitation: GetInvitation,
    private readonly withdrawInvitation: WithdrawInvitation,
  ) {}

  /** Reads the open invitation of a user. */
  @Get()
  @Requires('users:read')
  @ApiOkResponse({ type: InvitationResponse })
  @ApiProblems('invitation_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<InvitationResponse> {
    return this.getInvitation.execute(caller, id);
  }

  /** Withdraws the open invitation of a user. Its link stops working. */
  @Delete()
  @Requires('users:write', { mfa: true, audit: 'user.invite.withdraw' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('invitation_not_found')
  withdraw(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.withdrawInvitation.execute(caller, id);
  }
}
