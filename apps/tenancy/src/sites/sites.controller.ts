import { paged, type UserCaller } from '@gatehouse/contracts-core';
import { CreateSiteDto, SiteResponse, SiteQuery, SuccessResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../rows/api-paged.ts';
import { CreateSite } from './create-site.ts';
import { DeleteSite } from './delete-site.ts';
import { GetSite } from './get-site.ts';
import { ListSites } from './list-sites.ts';
import { UpdateSite } from './update-site.ts';

/** TEN-11. */
@Controller('orgs/sites')
@ApiTags('sites')
export class SitesController {
  constructor(
    private readonly listSites: ListSites,
    private readonly getSite: GetSite,
    private readonly createSite: CreateSite,
    private readonly updateSite: UpdateSite,
    private readonly deleteSite: DeleteSite,
  ) {}

  /** Lists the sites in the caller's reach. */
  @Get()
  @Requires('sites:read')
  @ApiPaged(SiteResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: SiteQuery) {
    return paged(query, await this.listSites.execute(caller, query));
  }

  /** Creates a site. */
  @Post()
  @Requires('sites:write', { mfa: true, audit: 'site.create' })
  @ApiCreatedResponse({ type: SiteResponse })
  @ApiProblems('org_access_denied', 'site_access_denied', 'organization_not_found', 'organization_frozen')
  create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateSiteDto): Promise<SiteResponse> {
    return this.createSite.execute(caller, draft);
  }

  /** Reads a site. */
  @Get(':id')
  @Requires('sites:read')
  @ApiOkResponse({ type: SiteResponse })
  @ApiProblems('site_access_denied', 'site_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SiteResponse> {
    return this.getSite.execute(caller, id);
  }

  /** Changes a site. A member that is left out stays. */
  @Patch(':id')
  @Requires('sites:write', { mfa: true, audit: 'site.update' })
  @ApiOkResponse({ type: SiteResponse })
  @ApiProblems(
    'no_updates_provided',
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
    return this.updateSite.execute(caller, id, patch);
  }

  /** Deletes a site that has no devices, with its enrolment keys. Its contacts stay with the organisation. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('sites:write', { mfa: true, audit: 'site.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'site_not_found', 'organization_frozen', 'conflict', 'organization_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.deleteSite.execute(caller, id);
    return { success: true };
  }
}
