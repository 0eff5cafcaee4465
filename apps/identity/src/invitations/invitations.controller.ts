import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { AcceptInviteDto, LoginResponse } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AcceptInvitation } from './accept-invitation.ts';

@ApiTags('sign-in')
@Controller('auth')
export class InvitationsController {
  constructor(private readonly acceptInvitation: AcceptInvitation) {}

  /**
   * Accepts an invitation and signs in. The token is in the link of the invitation mail (`/accept-invite?token=…`).
   * Somebody who has an account already confirms with its password; others choose one. Whether the author of the
   * invitation may still give what it offers is checked now.
   */
  @Post('accept-invite')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginResponse })
  @ApiProblems(
    'invitation_invalid',
    'password_too_common',
    'invalid_credentials',
    'sso_enforced',
    'email_taken',
    'organization_frozen',
    'break_glass_limit_reached',
    'rate_limited',
  )
  accept(@CurrentCaller() caller: Caller, @Body() body: AcceptInviteDto): Promise<LoginResponse> {
    return this.acceptInvitation.execute(caller, body);
  }
}
