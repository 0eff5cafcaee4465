import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  ChangePasswordInput,
  Done,
  DoneWithMessage,
  ForgotPasswordInput,
  ResetPasswordInput,
} from '@gatehouse/contracts-identity';
import { Refuses } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ChangePassword } from './change-password.ts';
import { RequestPasswordReset } from './request-password-reset.ts';
import { ResetPassword } from './reset-password.ts';

@ApiTags('sign-in')
@Controller('auth')
export class PasswordRecoveryController {
  constructor(
    private readonly requestReset: RequestPasswordReset,
    private readonly resetPassword: ResetPassword,
    private readonly changePassword: ChangePassword,
  ) {}

  @Post('forgot-password')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: DoneWithMessage })
  forgot(@CurrentCaller() caller: Caller, @Body() { email }: ForgotPasswordInput): Promise<DoneWithMessage> {
    return this.requestReset.execute(caller, email);
  }

  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: DoneWithMessage })
  @Refuses('reset_token_invalid', 'password_too_common')
  reset(@CurrentCaller() caller: Caller, @Body() body: ResetPasswordInput): Promise<DoneWithMessage> {
    return this.resetPassword.execute(caller, body);
  }

  @Post('change-password')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: Done })
  @Refuses('invalid_credentials', 'password_too_common', 'sso_enforced')
  change(@CurrentCaller() caller: UserCaller, @Body() body: ChangePasswordInput): Promise<Done> {
    return this.changePassword.execute(caller, body);
  }
}
