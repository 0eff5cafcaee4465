import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import { MfaVerifyDto, SignedInResponse, StepUpDto, TokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { StepUpWithCode } from './step-up-with-code.ts';
import { VerifyMfa } from './verify-mfa.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class MfaController {
  constructor(
    private readonly verifyMfa: VerifyMfa,
    private readonly stepUpWithCode: StepUpWithCode,
  ) {}

  /** Completes a sign-in with a code of the second factor. Takes the `mfaToken` of the sign-in. */
  @Post('verify')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInResponse })
  @ApiProblems('mfa_token_invalid', 'mfa_code_invalid', 'rate_limited')
  @ApiRateLimit('mfa', 'user')
  verify(@CurrentCaller() caller: Caller, @Body() body: MfaVerifyDto): Promise<SignedInResponse> {
    return this.verifyMfa.execute(caller, body);
  }

  /**
   * Proves the second factor in a session that lacks it. The answer has fresh tokens, with which privileged acts are
   * possible for 12 hours.
   */
  @Post('step-up')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('mfa_code_invalid', 'rate_limited')
  @ApiRateLimit('mfa', 'user')
  stepUp(@CurrentCaller() caller: UserCaller, @Body() body: StepUpDto): Promise<TokensResponse> {
    return this.stepUpWithCode.execute(caller, body);
  }
}
