import { paged, type UserCaller } from '@gatehouse/contracts-core';
import { CreateSiteDto, SiteResponse, SiteQuery, SuccessResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../scope/api-paged.ts';
import { SitesService } from './sites.service.ts';

/** TEN-11. */
@Controller('orgs/sites')
@ApiTags('sites')
export class SitesController {
  constructor(private readonly sites: SitesService) {}

  /** Lists the sites in the caller's reach. */
  @Get()
  @Requires('sites:read')
  @ApiPaged(SiteResponse)
  @ApiProblems('org_access_denied', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Query() query: SiteQuery) {
    return paged(query, await this.sites.list(caller, query));
  }

  /** Creates a site. */
  @Post()
  @Requires('sites:write', { mfa: true, audit: 'site.create' })
  @ApiCreatedResponse({ type: SiteResponse })
  @ApiProblems('org_access_denied', 'site_access_denied', 'organization_not_found', 'organization_frozen')
  create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateSiteDto): Promise<SiteResponse> {
    return this.sites.create(caller, draft);
  }

  /** Reads a site. */
  @Get(':id')
  @Requires('sites:read')
  @ApiOkResponse({ type: SiteResponse })
  @ApiProblems('site_access_denied', 'site_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SiteResponse> {
    return this.sites.get(caller, id);
  }

  /** Changes a site. Omitted members are not changed. */
  @Patch(':id')
  @Requires('sites:write', { mfa: true, audit: 'site.update' })
  @ApiOkResponse({ type: SiteResponse })
  @ApiProblems(
    'no_updates_provided',
    'org_access_denied',
    'site_access_denied',
    'site_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateSiteDto,
  ): Promise<SiteResponse> {
    return this.sites.update(caller, id, patch);
  }

  /** Deletes a site without devices, and its enrolment keys. Its contacts are kept by the organisation. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('sites:write', { mfa: true, audit: 'site.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(
    'org_access_denied',
    'site_access_denied',
    'site_not_found',
    'organization_frozen',
    'organization_not_found',
    'conflict',
  )
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.sites.delete(caller, id);
    return { success: true };
  }
}
