import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  OrgQuery,
  PreviewResponse,
  PreviewRuleDto,
  RuleProposalsQuery,
  RuleProposalsResponse,
  ShadowReportQuery,
  ShadowReportResponse,
  SimulateRuleDto,
  SimulationResponse,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ShadowReportsService } from './shadow-reports.service.ts';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { withOrganization } from '../tenants/require-place.ts';
import { RulePreviewService } from './rule-preview.service.ts';
import { RuleProposalsService } from './rule-proposals.service.ts';
import { RULE_PROBLEMS } from '../rules/vetted-rule.ts';

@ApiTags('PAM rules')
@Controller('pam/rules')
export class RulePreviewController {
  constructor(
    private readonly rulePreview: RulePreviewService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Shows which past requests a rule would have matched, without saving it. */
  @Post('preview')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { audit: 'pam.rule.preview' })
  @ApiOkResponse({ type: PreviewResponse })
  @ApiProblems(...RULE_PROBLEMS, 'org_required', 'organization_not_found')
  preview(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: PreviewRuleDto,
  ): Promise<PreviewResponse> {
    return this.heavyCalls.during(caller.id, () =>
      this.rulePreview.previewRule(caller, withOrganization(draft, query)),
    );
  }

  /** Replays past requests with and without one draft, through policies, rules and default. Nothing is saved. */
  @Post('simulate')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { audit: 'pam.rule.preview' })
  @ApiOkResponse({ type: SimulationResponse })
  @ApiProblems(...RULE_PROBLEMS, 'org_required', 'organization_not_found', 'rule_not_found', 'site_access_denied')
  simulate(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: SimulateRuleDto,
  ): Promise<SimulationResponse> {
    return this.heavyCalls.during(caller.id, () =>
      this.rulePreview.simulateRule(caller, withOrganization(draft, query)),
    );
  }
}

@ApiTags('Elevation requests')
@Controller('pam/elevation-requests/:id/rule-proposals')
export class RuleProposalsController {
  constructor(
    private readonly ruleProposals: RuleProposalsService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Proposes three rules, from narrow to broad, that would decide requests like this one. Nothing is saved; create a
   * proposed rule with `POST /pam/rules`.
   */
  @Get()
  @Requires('devices:write')
  @ApiOkResponse({ type: RuleProposalsResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found')
  async propose(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { verdict }: RuleProposalsQuery,
  ): Promise<RuleProposalsResponse> {
    const proposals = await this.heavyCalls.during(caller.id, () =>
      this.ruleProposals.proposeRules(caller, id, verdict),
    );
    return { success: true, proposals };
  }
}

@ApiTags('PAM rules')
@Controller('pam/rules')
export class ShadowReportsController {
  constructor(private readonly shadowReports: ShadowReportsService) {}

  /** Reports how a shadow rule would have decided requests in the past days, since it became one. */
  @Get(':id/shadow-report')
  @Requires('devices:read')
  @ApiOkResponse({ type: ShadowReportResponse })
  @ApiProblems('rule_not_found')
  async report(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { days, orgId }: ShadowReportQuery,
  ): Promise<ShadowReportResponse> {
    return { success: true, report: await this.shadowReports.get(caller, { id, orgId }, days) };
  }
}
