import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  ContactFieldsDto,
  ContactQuery,
  ContactResponse,
  FaultyRowRecord,
  ImportContactsDto,
  ImportedRowRecord,
  PreviewedContactRowRecord,
  SkippedRowRecord,
  SuccessResponse,
} from '@gatehouse/contracts-tenancy';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiLists, ApiPaged } from '../scope/api-paged.ts';
import { ContactsService } from './contacts.service.ts';
import { ContactImportService } from './import/contact-import.service.ts';
import { type ContactImportOutcome, ImportContacts } from './import/import-contacts.ts';

/** TEN-25. */
@Controller('orgs')
@ApiTags('contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  /** Lists the contacts of an organisation. */
  @Get('organizations/:id/contacts')
  @Requires('organizations:read')
  @ApiPaged(ContactResponse)
  @ApiProblems('invalid-role', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) orgId: string, @Query() query: ContactQuery) {
    return paged(query, await this.contacts.list(caller, orgId, query));
  }

  /** Creates a contact of an organisation. */
  @Post('organizations/:id/contacts')
  @Requires('organizations:write', { mfa: true, audit: 'contact.create' })
  @ApiData(ContactResponse, 201)
  @ApiProblems(
    'no-identifier',
    'invalid-role',
    'site-not-in-org',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
  )
  async create(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) orgId: string,
    @Body() draft: ContactFieldsDto,
  ) {
    return { data: await this.contacts.create(caller, orgId, draft) };
  }

  /** Changes a contact. Omitted members are not changed; null clears a member. */
  @Patch('contacts/:id')
  @Requires('organizations:write', { mfa: true, audit: 'contact.update' })
  @ApiData(ContactResponse)
  @ApiProblems(
    'no_updates_provided',
    'no-identifier',
    'invalid-role',
    'site-not-in-org',
    'site_access_denied',
    'contact_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: ContactFieldsDto,
  ) {
    return { data: await this.contacts.update(caller, id, patch) };
  }

  /** Deletes a contact. */
  @Delete('contacts/:id')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'contact_not_found', 'organization_frozen', 'organization_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.contacts.delete(caller, id);
    return { success: true };
  }
}

/** TEN-25. The import routes are not below one organisation, because each row names its own. */
@Controller('orgs/contacts/import')
@ApiTags('contacts')
export class ContactImportController {
  constructor(
    private readonly contactImport: ContactImportService,
    private readonly importContacts: ImportContacts,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Shows the outcome of an import of contacts for each row, without importing. */
  @Post('preview')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.import' })
  @ApiLists({ rows: PreviewedContactRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportContactsDto) {
    return this.heavyCalls.during(caller.id, () => this.contactImport.preview(caller, batch));
  }

  /**
   * Imports contacts. Each row is stored or reported separately. Send back the outcome of the preview for a row
   * (`expectedAnnotation`, `expectedContactId`), so that a row whose match has changed since is reported and not
   * imported.
   */
  @Post()
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.import' })
  @ApiLists({
    imported: ImportedRowRecord,
    updated: ImportedRowRecord,
    skipped: SkippedRowRecord,
    errors: FaultyRowRecord,
  })
  @ApiProblems('too_many_rows')
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportContactsDto): Promise<ContactImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importContacts.import(caller, batch));
  }
}
