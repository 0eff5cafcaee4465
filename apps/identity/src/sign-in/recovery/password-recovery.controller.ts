import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  ChangePasswordDto,
  DoneResponse,
  MessageResponse,
  ForgotPasswordDto,
  ResetPasswordDto,
} from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { PasswordRecoveryService } from './password-recovery.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class PasswordRecoveryController {
  constructor(private readonly passwordRecovery: PasswordRecoveryService) {}

  /**
   * Sends an e-mail with a link to choose a new password. The response is the same for every address. The link
   * (`/reset-password?token=…`) can be used once.
   */
  @Post('forgot-password')
  @ApiRateLimit('forgotPassword', 'account')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: MessageResponse })
  forgot(@CurrentCaller() caller: Caller, @Body() { email }: ForgotPasswordDto): Promise<MessageResponse> {
    return this.passwordRecovery.requestPasswordReset(caller, email);
  }

  /** Sets a new password with the token from the e-mail. All sessions of the account end. */
  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: MessageResponse })
  @ApiProblems('reset_token_invalid', 'password_too_common')
  reset(@CurrentCaller() caller: Caller, @Body() body: ResetPasswordDto): Promise<MessageResponse> {
    return this.passwordRecovery.resetPassword(caller, body);
  }

  /** Changes the caller's password. The other sessions end. */
  @Post('change-password')
  @ApiRateLimit('signInByAccount', 'user')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('invalid_credentials', 'password_too_common', 'sso_enforced')
  change(@CurrentCaller() caller: UserCaller, @Body() body: ChangePasswordDto): Promise<DoneResponse> {
    return this.passwordRecovery.changePassword(caller, body);
  }
}
