import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateOrganizationDto,
  OrganizationResponse,
  OrganizationQuery,
  SuccessResponse,
  UpdateOrganizationDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiList, ApiPaged } from '../scope/api-paged.ts';
import { OrganizationsService } from './organizations.service.ts';

const LEVELS = ['partner', 'system'] as const;
const versionOf = ({ version }: OrganizationResponse): number => version;

/** TEN-06. */
@Controller('orgs')
@ApiTags('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** Lists every organisation in the caller's reach on one page, for menus. */
  @Get()
  @Requires('organizations:read')
  @ApiList(OrganizationResponse)
  async all(@CurrentCaller() caller: UserCaller) {
    return { data: await this.organizations.listAllOrganizations(caller) };
  }

  /** Lists the organisations in the caller's reach, in the partner's own order. */
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

  /** Changes an organisation. A member that is left out stays. */
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

  /** Deletes an organisation. Its record stays, marked as deleted; sessions and agents below it stop working. */
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
