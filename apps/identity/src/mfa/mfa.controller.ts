import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  MfaVerifyDto,
  SignedInResponse,
  StepUpDto,
  TokensResponse,
  TotpConfirmedResponse,
  TotpConfirmDto,
  TotpEnrolmentResponse,
} from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EnrolTotp } from '../own-factors/enrol-totp.ts';
import { StepUp } from './step-up.ts';
import { VerifyMfa } from './verify-mfa.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class MfaController {
  constructor(
    private readonly verifyMfa: VerifyMfa,
    private readonly enrolTotp: EnrolTotp,
    private readonly step: StepUp,
  ) {}

  /** Completes a sign-in with a code of the second factor. Takes the `mfaToken` of the sign-in. */
  @Post('verify')
  @ApiRateLimit('mfa', 'user')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'rate_limited')
  verify(@CurrentCaller() caller: Caller, @Body() body: MfaVerifyDto): Promise<SignedInResponse> {
    return this.verifyMfa.execute(caller, body);
  }

  /**
   * Begins the enrolment of an authenticator app. The answer has the secret and the address for a QR code. Somebody who
   * has a factor already must have proved it in this session.
   */
  @Post('totp/enroll')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpEnrolmentResponse })
  @ApiProblems('mfa_required', 'factor_exists')
  enrol(@CurrentCaller() caller: UserCaller): Promise<TotpEnrolmentResponse> {
    return this.enrolTotp.begin(caller);
  }

  /**
   * Confirms the authenticator app with its first code. The answer has new recovery codes, which are shown this once,
   * and tokens of a session with a proved second factor.
   */
  @Post('totp/confirm')
  @ApiRateLimit('mfa', 'user')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpConfirmedResponse })
  @ApiProblems('mfa_code_invalid', 'mfa_required', 'factor_exists', 'rate_limited')
  confirm(@CurrentCaller() caller: UserCaller, @Body() { code }: TotpConfirmDto): Promise<TotpConfirmedResponse> {
    return this.enrolTotp.confirm(caller, code);
  }

  /**
   * Proves the second factor in a session that lacks it. The answer has fresh tokens, with which privileged acts are
   * possible for 12 hours.
   */
  @Post('step-up')
  @ApiRateLimit('mfa', 'user')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('mfa_code_invalid', 'rate_limited')
  stepUp(@CurrentCaller() caller: UserCaller, @Body() body: StepUpDto): Promise<TokensResponse> {
    return this.step.execute(caller, body);
  }
}
