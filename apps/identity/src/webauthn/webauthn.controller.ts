import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  FactorEnrolledResponse,
  SignedInResponse,
  TokensResponse,
  WebauthnRegistrationDto,
  WebauthnSignInDto,
  WebauthnSignInVerifyDto,
  WebauthnStepUpDto,
} from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { BeginPasskeyRegistration } from './begin-passkey-registration.ts';
import { BeginPasskeySignIn } from './begin-passkey-sign-in.ts';
import { BeginPasskeyStepUp } from './begin-passkey-step-up.ts';
import { FinishPasskeyRegistration } from './finish-passkey-registration.ts';
import { FinishPasskeySignIn } from './finish-passkey-sign-in.ts';
import { FinishPasskeyStepUp } from './finish-passkey-step-up.ts';

/** The options go to `navigator.credentials` as they are (WebAuthn 3, …OptionsJSON). */
const OPTIONS = { schema: { type: 'object', additionalProperties: true } } as const;

@ApiTags('second factor')
@Controller('auth/mfa/webauthn')
export class WebauthnController {
  constructor(
    private readonly beginPasskeyRegistration: BeginPasskeyRegistration,
    private readonly finishPasskeyRegistration: FinishPasskeyRegistration,
    private readonly beginPasskeySignIn: BeginPasskeySignIn,
    private readonly finishPasskeySignIn: FinishPasskeySignIn,
    private readonly beginPasskeyStepUp: BeginPasskeyStepUp,
    private readonly finishPasskeyStepUp: FinishPasskeyStepUp,
  ) {}

  /** Begins the registration of a passkey. The answer is for `navigator.credentials.create`. */
  @Post('register/options')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  @ApiProblems('mfa_required')
  registerOptions(@CurrentCaller() caller: UserCaller): Promise<object> {
    return this.beginPasskeyRegistration.execute(caller);
  }

  /** Completes the registration of a passkey, with what the browser answered. */
  @Post('register/verify')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: FactorEnrolledResponse })
  @ApiProblems('mfa_code_invalid', 'mfa_required', 'factor_exists')
  registerVerify(
    @CurrentCaller() caller: UserCaller,
    @Body() body: WebauthnRegistrationDto,
  ): Promise<FactorEnrolledResponse> {
    return this.finishPasskeyRegistration.execute(caller, body);
  }

  /** Begins the second factor of a sign-in with a passkey. The answer is for `navigator.credentials.get`. */
  @Post('sign-in/options')
  @Public()
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  @ApiProblems('mfa_token_invalid', 'rate_limited')
  signInOptions(@CurrentCaller() caller: Caller, @Body() { mfaToken }: WebauthnSignInDto): Promise<object> {
    return this.beginPasskeySignIn.execute(caller, mfaToken);
  }

  /** Completes a sign-in with a passkey, with what the browser answered. */
  @Post('sign-in/verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'rate_limited')
  signInVerify(@CurrentCaller() caller: Caller, @Body() body: WebauthnSignInVerifyDto): Promise<SignedInResponse> {
    return this.finishPasskeySignIn.execute(caller, body);
  }

  /** Begins a step-up with a passkey. The answer is for `navigator.credentials.get`. */
  @Post('step-up/options')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse(OPTIONS)
  stepUpOptions(@CurrentCaller() caller: UserCaller): Promise<object> {
    return this.beginPasskeyStepUp.execute(caller);
  }

  /** Proves the second factor with a passkey in a session that lacks it. The answer has fresh tokens. */
  @Post('step-up/verify')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('mfa_code_invalid')
  stepUpVerify(@CurrentCaller() caller: UserCaller, @Body() { response }: WebauthnStepUpDto): Promise<TokensResponse> {
    return this.finishPasskeyStepUp.execute(caller, response);
  }
}
