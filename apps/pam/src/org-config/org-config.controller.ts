import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { OrgQuery, PamConfigResponse, UpdatePamConfigDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { withOrganization } from '../organizations/one-organization.ts';
import { OrgConfigRepository } from './org-config.repository.ts';
import { UpdateOrgConfig } from './update-org-config.ts';

@ApiTags('PAM config')
@Controller('pam/config')
export class OrgConfigController {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly configs: OrgConfigRepository,
    private readonly setOrgConfig: UpdateOrgConfig,
  ) {}

  /** Reads what happens in an organisation to requests that no rule decides. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: PamConfigResponse })
  @ApiProblems('org_required', 'organization_not_found')
  async read(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<PamConfigResponse> {
    const config = await this.work.read(caller, async (reader) =>
      this.configs.find(reader, (await this.organizations.resolve(reader, caller, orgId)).orgId),
    );
    return { success: true, config };
  }

  /** Sets what happens in an organisation to requests that no rule decides. */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.config.update' })
  @ApiOkResponse({ type: PamConfigResponse })
  @ApiProblems('org_required', 'organization_not_found', 'organization_frozen', 'site_access_denied')
  async set(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdatePamConfigDto,
  ): Promise<PamConfigResponse> {
    return { success: true, config: await this.setOrgConfig.execute(caller, withOrganization(body, query)) };
  }
}
