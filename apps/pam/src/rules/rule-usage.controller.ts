import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { RuleUsageQuery, RuleUsageResponse } from '@gatehouse/contracts-pam';
import { ApiProblems } from '@gatehouse/service';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RuleUsageService } from './rule-usage.service.ts';

@ApiTags('PAM rules')
@Controller('pam/rules/usage')
export class RuleUsageController {
  constructor(private readonly ruleUsage: RuleUsageService) {}

  /** Tells how often each rule of an organisation matched. A match is counted within a minute. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: RuleUsageResponse })
  @ApiProblems('org_required', 'organization_not_found')
  usage(@CurrentCaller() caller: UserCaller, @Query() query: RuleUsageQuery): Promise<RuleUsageResponse> {
    return this.ruleUsage.get(caller, query);
  }
}
