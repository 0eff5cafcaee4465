import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  FactorEnrolledResponse,
  TokensResponse,
  WebauthnRegistrationDto,
  WebauthnStepUpDto,
} from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SessionCookie } from '../../sessions/session-cookie/session-cookie.ts';
import { WebauthnService } from './webauthn.service.ts';

/** The options go to `navigator.credentials` as they are (WebAuthn 3, …OptionsJSON). */
export const OPTIONS = { schema: { type: 'object', additionalProperties: true } } as const;

@ApiTags('second factor')
@Controller('auth/mfa/webauthn')
export class WebauthnController {
  constructor(
    private readonly webauthn: WebauthnService,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /** Starts the registration of a passkey. The response is for `navigator.credentials.create`. */
  @Post('register/options')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  @ApiProblems('mfa_required')
  registerOptions(@CurrentCaller() caller: UserCaller): Promise<object> {
    return this.webauthn.beginPasskeyRegistration(caller);
  }

  /** Completes the registration of a passkey with the browser's response. */
  @Post('register/verify')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: FactorEnrolledResponse })
  @ApiProblems('mfa_code_invalid', 'mfa_required', 'factor_exists', 'idempotency_secret_shown')
  async registerVerify(
    @CurrentCaller() caller: UserCaller,
    @Body() body: WebauthnRegistrationDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FactorEnrolledResponse> {
    return this.sessionCookie.deliver(reply, await this.webauthn.finishPasskeyRegistration(caller, body));
  }

  /** Starts a step-up with a passkey. The response is for `navigator.credentials.get`. */
  @Post('step-up/options')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  stepUpOptions(@CurrentCaller() caller: UserCaller): Promise<object> {
    return this.webauthn.beginPasskeyStepUp(caller);
  }

  /** Confirms the second factor with a passkey in a session that lacks it. The response contains new tokens. */
  @Post('step-up/verify')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('mfa_code_invalid', 'idempotency_secret_shown')
  async stepUpVerify(
    @CurrentCaller() caller: UserCaller,
    @Body() { response }: WebauthnStepUpDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokensResponse> {
    return this.sessionCookie.deliver(reply, await this.webauthn.finishPasskeyStepUp(caller, response));
  }
}
