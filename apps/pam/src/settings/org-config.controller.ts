import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { OrgQuery, PamConfigResponse, UpdatePamConfigDto } from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { SETTINGS_PROBLEMS } from '../tenants/org-settings.ts';
import { OrgConfigService } from './org-config.service.ts';

const versionOf = ({ config }: PamConfigResponse): number => config.version;

@ApiTags('PAM config')
@Controller('pam/config')
export class OrgConfigController {
  constructor(private readonly orgConfig: OrgConfigService) {}

  /** Reads what happens in an organisation to requests that no rule decides. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: PamConfigResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<PamConfigResponse> {
    return { success: true, config: await this.orgConfig.get(caller, orgId) };
  }

  /** Sets what happens in an organisation to requests that no rule decides. */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.config.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: PamConfigResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdatePamConfigDto,
  ): Promise<PamConfigResponse> {
    return {
      success: true,
      config: await this.orgConfig.update(caller, withOrganization(body, query)),
    };
  }
}
