import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { AcceptInviteInput, LoginAnswer } from '@gatehouse/contracts-identity';
import { Refuses } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AcceptInvitation } from './accept-invitation.ts';

@ApiTags('sign-in')
@Controller('auth')
export class InvitationsController {
  constructor(private readonly acceptInvitation: AcceptInvitation) {}

  @Post('accept-invite')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginAnswer })
  @Refuses(
    'invitation_invalid',
    'password_too_common',
    'invalid_credentials',
    'sso_enforced',
    'email_taken',
    'organization_frozen',
    'break_glass_limit_reached',
    'rate_limited',
  )
  accept(@CurrentCaller() caller: Caller, @Body() body: AcceptInviteInput): Promise<LoginAnswer> {
    return this.acceptInvitation.execute(caller, body);
  }
}
