import type { UserCaller } from '@gatehouse/contracts-core';
import { OrganizationSummaryQuery, OrganizationSummaryRecord } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems } from '@gatehouse/service';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiList } from '../../scope/api-paged.ts';
import { OrganizationSummaryService } from './organization-summary.service.ts';

/** TEN-13. */
@Controller('orgs/organizations/summary')
@ApiTags('organizations')
export class OrganizationSummaryController {
  constructor(private readonly organizationSummary: OrganizationSummaryService) {}

  /**
   * Counts what up to 100 organisations have, in the order of the ids: devices, sites, people, elevation requests that
   * wait, open windows, and the state of their single sign-on. Organisations outside the caller's reach are left out.
   */
  @Get()
  @Requires('organizations:read', { levels: ['partner', 'system'] })
  @ApiList(OrganizationSummaryRecord)
  @ApiProblems('unavailable')
  async summarize(@CurrentCaller() caller: UserCaller, @Query() query: OrganizationSummaryQuery) {
    return { data: await this.organizationSummary.summarizeOrganizations(caller, query) };
  }
}
