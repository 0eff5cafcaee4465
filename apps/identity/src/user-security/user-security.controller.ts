import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ResetSecondFactor } from './reset-second-factor.ts';

@ApiTags('users')
@Controller('users')
export class UserSecurityController {
  constructor(private readonly resetSecondFactor: ResetSecondFactor) {}

  /**
   * Removes the second factors of a user who has lost them. Their sessions end, and they enrol anew at the next
   * sign-in.
   */
  @Delete(':id/mfa')
  @Requires('users:write', { mfa: true, audit: 'user.mfa.remove' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('user_not_found', 'factor_not_found', 'role_not_grantable', 'partner_access_denied', 'conflict')
  resetMfa(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.resetSecondFactor.execute(caller, id);
  }
}
