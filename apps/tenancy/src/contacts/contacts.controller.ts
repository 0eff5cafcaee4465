import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  ContactResponse,
  ContactFieldsDto,
  ContactQuery,
  FaultyRowRecord,
  ImportContactsDto,
  ImportedRowRecord,
  PreviewedContactRowRecord,
  SkippedRowRecord,
  SuccessResponse,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS, ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiLists, ApiPaged } from '../rows/api-paged.ts';
import { CreateContact } from './create-contact.ts';
import { type ContactImportOutcome, ImportContacts } from './import/import-contacts.ts';
import { PreviewContactImport } from './import/preview-contact-import.ts';
import { ListContacts } from './list-contacts.ts';
import { UpdateContact } from './update-contact.ts';

/** TEN-25. The import routes are not below one organisation, because each row names its own. */
@Controller('orgs')
@ApiTags('contacts')
export class ContactsController {
  constructor(
    private readonly listContacts: ListContacts,
    private readonly createContact: CreateContact,
    private readonly updateContact: UpdateContact,
    private readonly previewImport: PreviewContactImport,
    private readonly importContacts: ImportContacts,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  /** Lists the contacts of an organisation. */
  @Get('organizations/:id/contacts')
  @Requires('organizations:read')
  @ApiPaged(ContactResponse)
  @ApiProblems('invalid-role', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) orgId: string, @Query() query: ContactQuery) {
    return paged(query, await this.listContacts.execute(caller, orgId, query));
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
    return { data: await this.createContact.execute(caller, orgId, draft) };
  }

  /** Says what an import of contacts would do to each row, without doing it. */
  @Post('contacts/import/preview')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.import' })
  @ApiLists({ rows: PreviewedContactRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportContactsDto) {
    return this.heavyCalls.during(caller.id, () => this.previewImport.execute(caller, batch));
  }

  /**
   * Imports contacts. Each row is taken or reported by itself. Send back what the preview said about a row
   * (`expectedAnnotation`, `expectedContactId`), so that a row whose match has changed since is reported and not
   * imported.
   */
  @Post('contacts/import')
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
    return this.heavyCalls.during(caller.id, () => this.importContacts.execute(caller, batch));
  }

  /** Changes a contact. A member that is left out stays; null clears it. */
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
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: ContactFieldsDto,
  ) {
    return { data: await this.updateContact.execute(caller, id, patch) };
  }

  /** Deletes a contact. */
  @Delete('contacts/:id')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'contact_not_found', 'organization_frozen')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.updateContact.delete(caller, id);
    return { success: true };
  }
}
