import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  ArchivedOrganizationResponse,
  ArchiveOrganizationDto,
  CreateOrganizationDto,
  OrganizationOrderDto,
  OrganizationQuery,
  OrganizationResponse,
  OrganizationSummaryQuery,
  OrganizationSummaryRecord,
  SuccessResponse,
  UpdateOrganizationDto,
} from '@gatehouse/contracts-tenancy';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiList, ApiPaged } from '../scope/api-paged.ts';
import { OrganizationArchiveService } from './organization-archive.service.ts';
import { OrganizationOrderService, OrganizationsService } from './organizations.service.ts';
import { OrganizationSummaryService } from './organization-summary.service.ts';

const LEVELS = ['partner', 'system'] as const;
const versionOf = ({ version }: OrganizationResponse): number => version;

/** TEN-06. */
@Controller('orgs')
@ApiTags('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** Lists all organisations in the caller's reach on one page, for menus. */
  @Get()
  @Requires('organizations:read')
  @ApiList(OrganizationResponse)
  async all(@CurrentCaller() caller: UserCaller) {
    return { data: await this.organizations.listAllOrganizations(caller) };
  }

  /** Lists the organisations in the caller's reach, in the partner's order. */
  @Get('organizations')
  @Requires('organizations:read', { levels: LEVELS })
  @ApiPaged(OrganizationResponse)
  @ApiProblems('partner_access_denied')
  async list(@CurrentCaller() caller: UserCaller, @Query() query: OrganizationQuery) {
    return paged(query, await this.organizations.list(caller, query));
  }

  /** Creates an organisation. */
  @Post('organizations')
  @Requires('organizations:write', { levels: LEVELS, mfa: true, audit: 'organization.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: OrganizationResponse, ...WITH_ETAG })
  @ApiProblems(
    'partner_required',
    'partner_context_required',
    'status_not_settable',
    'partner_access_denied',
    'org_access_denied',
    'partner_not_found',
    'slug_taken',
    'organization_limit_reached',
  )
  create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateOrganizationDto): Promise<OrganizationResponse> {
    return this.organizations.create(caller, draft);
  }

  /** Reads an organisation. */
  @Get('organizations/:id')
  @Requires('organizations:read', { levels: LEVELS })
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: OrganizationResponse, ...WITH_ETAG })
  @ApiProblems('organization_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<OrganizationResponse> {
    return this.organizations.get(caller, id);
  }

  /** Changes an organisation. Omitted members are not changed. */
  @Patch('organizations/:id')
  @Requires('organizations:write', { levels: LEVELS, mfa: true, audit: 'organization.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: OrganizationResponse, ...WITH_ETAG })
  @ApiProblems(
    'no_updates_provided',
    'status_not_settable',
    'organization_not_found',
    'organization_frozen',
    'slug_taken',
    'version_conflict',
  )
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateOrganizationDto,
  ): Promise<OrganizationResponse> {
    return this.organizations.update(caller, id, patch);
  }

  /** Deletes an organisation. Its record is kept, marked as deleted; its sessions and agents stop working. */
  @Delete('organizations/:id')
  @HttpCode(200)
  @Requires('organizations:write', { levels: LEVELS, mfa: true, audit: 'organization.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('organization_not_found', 'organization_frozen', 'version_conflict')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.organizations.delete(caller, id);
    return { success: true };
  }
}

/** TEN-40: archive and restore. */
@Controller('orgs/organizations/:id')
@ApiTags('organizations')
export class ArchiveController {
  constructor(private readonly organizationArchive: OrganizationArchiveService) {}

  /**
   * Archives an organisation. Its agents are uninstalled, nothing in it can be changed, and it is permanently deleted
   * when its retention ends.
   */
  @Post('archive')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.archive' })
  @ApiBody({ type: ArchiveOrganizationDto, required: false })
  @ApiOkResponse({ type: ArchivedOrganizationResponse })
  @ApiProblems('organization_not_found', 'organization_frozen')
  archive(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() choice: ArchiveOrganizationDto,
  ): Promise<ArchivedOrganizationResponse> {
    return this.organizationArchive.archiveOrganization(caller, id, choice);
  }

  /** Restores an archived organisation, unless its deletion has begun. */
  @Post('restore')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.restore' })
  @ApiOkResponse({ type: OrganizationResponse })
  @ApiProblems('organization_not_found', 'organization_not_archived', 'purge_started')
  restore(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<OrganizationResponse> {
    return this.organizationArchive.restoreOrganization(caller, id);
  }
}

@Controller('orgs/organizations/order')
@ApiTags('organizations')
export class OrganizationOrderController {
  constructor(private readonly organizationOrder: OrganizationOrderService) {}

  /** Sets the order in which the partner's organisations are listed. */
  @Patch()
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'partner.organization_order.update' })
  @ApiOkResponse({ type: OrganizationOrderDto })
  @ApiProblems('partner_context_required', 'org_access_denied')
  order(@CurrentCaller() caller: UserCaller, @Body() order: OrganizationOrderDto): Promise<OrganizationOrderDto> {
    return this.organizationOrder.orderOrganizations(caller, order);
  }
}

/** TEN-13. */
@Controller('orgs/organizations/summary')
@ApiTags('organizations')
export class OrganizationSummaryController {
  constructor(private readonly organizationSummary: OrganizationSummaryService) {}

  /**
   * Summarises up to 100 organisations, in the order of the ids: devices, sites, people, pending requests, active
   * elevations, and the state of their single sign-on. Organisations outside the caller's reach are omitted.
   */
  @Get()
  @Requires('organizations:read', { levels: ['partner', 'system'] })
  @ApiList(OrganizationSummaryRecord)
  @ApiProblems('unavailable')
  async summarize(@CurrentCaller() caller: UserCaller, @Query() query: OrganizationSummaryQuery) {
    return { data: await this.organizationSummary.summarizeOrganizations(caller, query) };
  }
}
