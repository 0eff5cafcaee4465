import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, FactorListResponse, RecoveryCodesResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Factors } from './factors.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class OwnFactorsController {
  constructor(private readonly factors: Factors) {}

  /** Lists the caller's second factors. */
  @Get('factors')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: FactorListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<FactorListResponse> {
    return this.factors.list(caller);
  }

  /** Removes one of the caller's second factors. Links in mails and other sessions stop working. */
  @Delete('factors/:id')
  @Requires(null, { mfa: true, audit: 'user.mfa.remove', evenIfPartnerInactive: true })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('factor_not_found', 'conflict')
  remove(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.factors.remove(caller, id);
  }

  /** Replaces the caller's recovery codes. The old ones stop working; the new ones are shown this once. */
  @Post('recovery-codes')
  @Requires(null, { mfa: true, audit: 'user.mfa.enroll', evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: RecoveryCodesResponse })
  @ApiProblems('factor_not_found')
  recoveryCodes(@CurrentCaller() caller: UserCaller): Promise<RecoveryCodesResponse> {
    return this.factors.newRecoveryCodes(caller);
  }
}
