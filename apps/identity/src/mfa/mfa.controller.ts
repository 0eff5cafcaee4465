import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  MfaVerifyInput,
  SignedIn,
  StepUpInput,
  Tokens,
  TotpConfirmed,
  TotpConfirmInput,
  TotpEnrolment,
} from '@gatehouse/contracts-identity';
import { Refuses } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EnrolTotp } from './enrol-totp.ts';
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

  @Post('verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedIn })
  @Refuses('mfa_token_invalid', 'mfa_code_invalid', 'rate_limited')
  verify(@CurrentCaller() caller: Caller, @Body() body: MfaVerifyInput): Promise<SignedIn> {
    return this.verifyMfa.execute(caller, body);
  }

  @Post('totp/enroll')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpEnrolment })
  @Refuses('mfa_required', 'factor_exists')
  enrol(@CurrentCaller() caller: UserCaller): Promise<TotpEnrolment> {
    return this.enrolTotp.begin(caller);
  }

  @Post('totp/confirm')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpConfirmed })
  @Refuses('mfa_code_invalid', 'mfa_required', 'factor_exists', 'rate_limited')
  confirm(@CurrentCaller() caller: UserCaller, @Body() { code }: TotpConfirmInput): Promise<TotpConfirmed> {
    return this.enrolTotp.confirm(caller, code);
  }

  @Post('step-up')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: Tokens })
  @Refuses('mfa_code_invalid', 'rate_limited')
  stepUp(@CurrentCaller() caller: UserCaller, @Body() body: StepUpInput): Promise<Tokens> {
    return this.step.execute(caller, body);
  }
}
