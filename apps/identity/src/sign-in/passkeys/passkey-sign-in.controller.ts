import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { SignedInResponse, WebauthnSignInDto, WebauthnSignInVerifyDto } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { OPTIONS } from '../../factors/webauthn/webauthn.controller.ts';
import { PasskeySignInService } from './passkey-sign-in.service.ts';

@ApiTags('second factor')
@Controller('auth/mfa/webauthn')
export class PasskeySignInController {
  constructor(
    private readonly passkeySignIn: PasskeySignInService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /** Begins the second factor of a sign-in with a passkey. The answer is for `navigator.credentials.get`. */
  @Post('sign-in/options')
  @Public()
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  @ApiProblems('mfa_token_invalid', 'rate_limited')
  signInOptions(@CurrentCaller() caller: Caller, @Body() { mfaToken }: WebauthnSignInDto): Promise<object> {
    return this.passkeySignIn.begin(caller, mfaToken);
  }

  /** Completes a sign-in with a passkey, with what the browser answered. */
  @Post('sign-in/verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'rate_limited', 'origin_denied')
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
