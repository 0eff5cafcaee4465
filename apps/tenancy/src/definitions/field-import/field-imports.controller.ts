import type { UserCaller } from '@gatehouse/contracts-core';
import {
  AnnotatedFieldRecord,
  FaultyRowRecord,
  FieldRowOutcomeRecord,
  ImportFieldsDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiLists } from '../../scope/api-paged.ts';
import { type FieldImportOutcome, ImportFields } from './import-fields.ts';
import { FieldImportService } from './field-import.service.ts';

@Controller('custom-fields/import')
@ApiTags('custom fields')
export class FieldImportsController {
  constructor(
    private readonly fieldImport: FieldImportService,
    private readonly importFields: ImportFields,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Says what an import of field definitions would do to each row, without doing it. */
  @Post('preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.import' })
  @ApiLists({ rows: AnnotatedFieldRecord })
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportFieldsDto) {
    return this.heavyCalls.during(caller.id, () => this.fieldImport.preview(caller, batch));
  }

  /** Imports field definitions. Each row is taken or reported by itself. */
  @Post()
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.import' })
  @ApiLists({
    created: FieldRowOutcomeRecord,
    updated: FieldRowOutcomeRecord,
    skipped: FieldRowOutcomeRecord,
    errors: FaultyRowRecord,
  })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportFieldsDto): Promise<FieldImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importFields.import(caller, batch));
  }
}
