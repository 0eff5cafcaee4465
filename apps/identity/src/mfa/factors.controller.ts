import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { Done, FactorList, RecoveryCodes } from '@gatehouse/contracts-identity';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Factors } from './factors.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class FactorsController {
  constructor(private readonly factors: Factors) {}

  @Get('factors')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: FactorList })
  list(@CurrentCaller() caller: UserCaller): Promise<FactorList> {
    return this.factors.list(caller);
  }

  @Delete('factors/:id')
  @Requires(null, { mfa: true, audit: 'user.mfa.remove', evenIfPartnerInactive: true })
  @ApiOkResponse({ type: Done })
  @Refuses('factor_not_found', 'conflict')
  remove(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<Done> {
    return this.factors.remove(caller, id);
  }

  @Post('recovery-codes')
  @Requires(null, { mfa: true, audit: 'user.mfa.enroll', evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: RecoveryCodes })
  @Refuses('factor_not_found')
  recoveryCodes(@CurrentCaller() caller: UserCaller): Promise<RecoveryCodes> {
    return this.factors.newRecoveryCodes(caller);
  }
}
