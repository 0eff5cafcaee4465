import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import { MfaVerifyDto, SignedInResponse, StepUpDto, TokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { SessionCookie } from '../../sessions/session-cookie/session-cookie.ts';
import { MfaService } from './mfa.service.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class MfaController {
  constructor(
    private readonly mfa: MfaService,
    private readonly cookieSignIn: CookieSignIn,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /** Completes a sign-in with a second-factor code. Takes the `mfaToken` of the sign-in. */
  @Post('verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'invalid_credentials', 'rate_limited', 'origin_denied')
  @ApiRateLimit('mfa', 'user')
  verify(
    @CurrentCaller() caller: Caller,
    @Body() body: MfaVerifyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInResponse> {
    return this.cookieSignIn.cookie({ mode: body.session, request, reply }, () => this.mfa.verify(caller, body));
  }

  /**
   * Confirms the second factor in a session that lacks it. The response contains new tokens, with which privileged
   * actions are possible for 12 hours.
   */
  @Post('step-up')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('mfa_code_invalid', 'idempotency_secret_shown', 'rate_limited')
  @ApiRateLimit('mfa', 'user')
  async stepUp(
    @CurrentCaller() caller: UserCaller,
    @Body() body: StepUpDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokensResponse> {
    return this.sessionCookie.deliver(reply, await this.mfa.stepUpWithCode(caller, body));
  }
}
