import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ShadowReportQuery, ShadowReportResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ShadowReportsService } from './shadow-reports.service.ts';

@ApiTags('PAM rules')
@Controller('pam/rules')
export class ShadowReportsController {
  constructor(private readonly shadowReports: ShadowReportsService) {}

  /** Says what a shadow rule would have made of the requests since it is one, within the past days. */
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
