import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { LintResponse, OrgQuery } from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RuleLintService } from './rule-lint.service.ts';

@ApiTags('PAM rules')
@Controller('pam/rules/lint')
export class RuleLintController {
  constructor(
    private readonly ruleLint: RuleLintService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Names the rules of an organisation that cannot match, that others hide, or that let too much through. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: LintResponse })
  @ApiProblems('org_required', 'organization_not_found')
  lint(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<LintResponse> {
    return this.heavyCalls.during(caller.id, () => this.ruleLint.lintRules(caller, orgId));
  }
}
