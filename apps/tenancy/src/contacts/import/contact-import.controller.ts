import type { UserCaller } from '@gatehouse/contracts-core';
import {
  FaultyRowRecord,
  ImportContactsDto,
  ImportedRowRecord,
  PreviewedContactRowRecord,
  SkippedRowRecord,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiLists } from '../../scope/api-paged.ts';
import { type ContactImportOutcome, ImportContacts } from './import-contacts.ts';
import { ContactImportService } from './contact-import.service.ts';

/** TEN-25. The import routes are not below one organisation, because each row names its own. */
@Controller('orgs/contacts/import')
@ApiTags('contacts')
export class ContactImportController {
  constructor(
    private readonly contactImport: ContactImportService,
    private readonly importContacts: ImportContacts,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Shows the outcome that an import of contacts would have for each row, and stores nothing. */
  @Post('preview')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'contact.import' })
  @ApiLists({ rows: PreviewedContactRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportContactsDto) {
    return this.heavyCalls.during(caller.id, () => this.contactImport.preview(caller, batch));
  }

  /**
   * Imports contacts. Each row is stored or reported by itself. Send back the outcome of the preview for a row
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
