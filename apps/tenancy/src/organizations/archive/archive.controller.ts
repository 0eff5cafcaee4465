import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ArchivedOrganizationResponse,
  ArchiveOrganizationDto,
  OrganizationResponse,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OrganizationArchiveService } from './organization-archive.service.ts';

/** TEN-40: archive and restore. */
@Controller('orgs/organizations/:id')
@ApiTags('organizations')
export class ArchiveController {
  constructor(private readonly organizationArchive: OrganizationArchiveService) {}

  /**
   * Archives an organisation. Its devices are told to uninstall the agent, nothing below it can change any more, and it
   * is deleted for good when its retention ends.
   */
  @Post('archive')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.archive' })
  @ApiOkResponse({ type: ArchivedOrganizationResponse })
  @ApiProblems('organization_not_found', 'organization_frozen')
  archive(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() choice: ArchiveOrganizationDto,
  ): Promise<ArchivedOrganizationResponse> {
    return this.organizationArchive.archiveOrganization(caller, id, choice);
  }

  /** Restores an archived organisation, until its deletion has begun. */
  @Post('restore')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.restore' })
  @ApiOkResponse({ type: OrganizationResponse })
  @ApiProblems('organization_not_found', 'organization_not_archived', 'purge_started')
  restore(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<OrganizationResponse> {
    return this.organizationArchive.restoreOrganization(caller, id);
  }
}
