import type { UserCaller } from '@gatehouse/contracts-core';
import { FaultyRowRecord, ImportValuesDto, ValueRowRecord } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiLists } from '../../scope/api-paged.ts';
import { ImportValues, type ValueImportOutcome } from './import-values.ts';
import { ValueImportService } from './value-import.service.ts';

@Controller('devices/custom-fields/import')
@ApiTags('custom field values')
export class ValueImportsController {
  constructor(
    private readonly valueImport: ValueImportService,
    private readonly importValues: ImportValues,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Says what an import of field values would do to each row, without doing it. */
  @Post('preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ rows: ValueRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto) {
    return this.heavyCalls.during(caller.id, () => this.valueImport.preview(caller, batch));
  }

  /** Imports field values. Each row names a device by its hostname, or by its id in another system. */
  @Post()
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ applied: ValueRowRecord, skipped: ValueRowRecord, errors: FaultyRowRecord })
  @ApiProblems('too_many_rows')
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto): Promise<ValueImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importValues.import(caller, batch));
  }
}
