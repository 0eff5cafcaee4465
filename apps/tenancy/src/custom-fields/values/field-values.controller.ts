import type { UserCaller } from '@gatehouse/contracts-core';
import {
  FaultyRowRecord,
  FieldValueRecord,
  FieldValuesDto,
  ImportValuesDto,
  ValueRowRecord,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS, ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiList, ApiLists } from '../../rows/api-paged.ts';
import { DeviceFieldValues } from './device-field-values.ts';
import { ImportValues, type ValueImportOutcome } from '../import/import-values.ts';

/** TEN-55: the values of custom fields are sub-resources of devices. */
@Controller('devices')
@ApiTags('custom fields')
export class FieldValuesController {
  constructor(
    private readonly fieldValues: DeviceFieldValues,
    private readonly importValues: ImportValues,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  /** Says what an import of field values would do to each row, without doing it. */
  @Post('custom-fields/import/preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ rows: ValueRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto) {
    return this.heavyCalls.during(caller.id, () => this.importValues.preview(caller, batch));
  }

  /** Imports field values. Each row names a device by its hostname, or by its id in another system. */
  @Post('custom-fields/import')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ applied: ValueRowRecord, skipped: ValueRowRecord, errors: FaultyRowRecord })
  @ApiProblems('too_many_rows')
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto): Promise<ValueImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importValues.execute(caller, batch));
  }

  /** Reads a device's values of custom fields. */
  @Get(':id/custom-fields')
  @Requires('devices:read')
  @ApiList(FieldValueRecord)
  @ApiProblems('device_not_found')
  async read(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.fieldValues.read(caller, id) };
  }

  /** Changes a device's values of custom fields. A field that is left out keeps its value; null clears it. */
  @Patch(':id/custom-fields')
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.update' })
  @ApiList(FieldValueRecord)
  @ApiProblems('no_updates_provided', 'device_not_found', 'custom_field_not_found', 'organization_frozen')
  async write(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { values }: FieldValuesDto,
  ) {
    return { data: await this.fieldValues.write(caller, id, values) };
  }
}
