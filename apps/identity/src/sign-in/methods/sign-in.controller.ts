import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import {
  LoginDto,
  LoginResponse,
  SignedInResponse,
  WebauthnSignInDto,
  WebauthnSignInVerifyDto,
} from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPTIONS } from '../webauthn/webauthn.controller.ts';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { PasskeySignInService } from './passkey-sign-in.service.ts';
import { PasswordLoginService } from './password-login.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class PasswordLoginController {
  constructor(
    private readonly passwordLogin: PasswordLoginService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /**
   * Signs in with e-mail address and password. The response contains tokens, or names the step that is still required:
   * a second factor (`mfaRequired`) or the choice of a membership (`membershipRequired`). The response is the same for
   * a wrong password, an unknown address, a locked account and an account that must use single sign-on.
   */
  @Post('login')
  @ApiRateLimit('signInByAccount', 'client and account')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginResponse })
  @ApiProblems('invalid_credentials', 'rate_limited', 'origin_denied')
  login(
    @CurrentCaller() caller: Caller,
    @Body() body: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResponse> {
    return this.cookieSignIn.cookie({ mode: body.session, request, reply }, () =>
      this.passwordLogin.signInWithPassword(caller, body),
    );
  }
}

@ApiTags('second factor')
@Controller('auth/mfa/webauthn')
export class PasskeySignInController {
  constructor(
    private readonly passkeySignIn: PasskeySignInService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /** Starts the second factor of a sign-in with a passkey. The response is for `navigator.credentials.get`. */
  @Post('sign-in/options')
  @Public()
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  @ApiProblems('mfa_token_invalid', 'rate_limited')
  signInOptions(@CurrentCaller() caller: Caller, @Body() { mfaToken }: WebauthnSignInDto): Promise<object> {
    return this.passkeySignIn.begin(caller, mfaToken);
  }

  /** Completes a sign-in with a passkey and the browser's response. */
  @Post('sign-in/verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'invalid_credentials', 'rate_limited', 'origin_denied')
  signInVerify(
    @CurrentCaller() caller: Caller,
    @Body() body: WebauthnSignInVerifyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInResponse> {
    return this.cookieSignIn.cookie({ mode: body.session, request, reply }, () =>
      this.passkeySignIn.finish(caller, body),
    );
  }
}
