import type { UserCaller } from '@gatehouse/contracts-core';
import { FieldValueRecord, FieldValuesDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiList } from '../../scope/api-paged.ts';
import { CustomFieldValuesService } from './custom-field-values.service.ts';

/** TEN-55: the values of custom fields are sub-resources of devices. */
@Controller('devices/:id/custom-fields')
@ApiTags('custom field values')
export class FieldValuesController {
  constructor(private readonly customFieldValues: CustomFieldValuesService) {}

  /** Reads a device's values of custom fields. */
  @Get()
  @Requires('devices:read')
  @ApiList(FieldValueRecord)
  @ApiProblems('device_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.customFieldValues.list(caller, id) };
  }

  /** Changes a device's values of custom fields. A field that is left out keeps its value; null clears it. */
  @Patch()
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.update' })
  @ApiList(FieldValueRecord)
  @ApiProblems(
    'no_updates_provided',
    'device_not_found',
    'custom_field_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() values: FieldValuesDto,
  ) {
    return { data: await this.customFieldValues.update(caller, id, values) };
  }
}
