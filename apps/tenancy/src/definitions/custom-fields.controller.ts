import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  AnnotatedFieldRecord,
  CreateCustomFieldDto,
  CustomFieldQuery,
  CustomFieldResponse,
  FaultyRowRecord,
  FieldRowOutcomeRecord,
  FieldValueRecord,
  FieldValuesDto,
  ImportFieldsDto,
  ImportValuesDto,
  SuccessResponse,
  UpdateCustomFieldDto,
  ValueRowRecord,
} from '@gatehouse/contracts-tenancy';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiList, ApiLists, ApiPaged } from '../scope/api-paged.ts';
import { CustomFieldsService, CustomFieldValuesService } from './custom-fields.service.ts';
import { FieldImportService } from './field-import/field-import.service.ts';
import { type FieldImportOutcome, ImportFields } from './field-import/import-fields.ts';
import { ImportValues, type ValueImportOutcome, ValueImportService } from './value-import/value-import.service.ts';
import { OWNED_PROBLEMS, OWNER_PROBLEMS } from '../scope/owner.ts';

/** TEN-55. */
@Controller('custom-fields')
@ApiTags('custom fields')
export class CustomFieldsController {
  constructor(private readonly customFields: CustomFieldsService) {}

  /** Lists the custom fields in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(CustomFieldResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: CustomFieldQuery) {
    return paged(query, await this.customFields.list(caller, query));
  }

  /** Creates a custom field. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'custom_field.create' })
  @ApiData(CustomFieldResponse, 201)
  @ApiProblems(...OWNER_PROBLEMS, 'name_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateCustomFieldDto) {
    return { data: await this.customFields.create(caller, draft) };
  }

  /** Reads a custom field. */
  @Get(':id')
  @Requires('devices:read')
  @ApiData(CustomFieldResponse)
  @ApiProblems('custom_field_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.customFields.get(caller, id) };
  }

  /** Changes a custom field. Its type and key cannot be changed. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'custom_field.update' })
  @ApiData(CustomFieldResponse)
  @ApiProblems(...OWNED_PROBLEMS, 'no_updates_provided', 'custom_field_not_found')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateCustomFieldDto,
  ) {
    return { data: await this.customFields.update(caller, id, patch) };
  }

  /** Deletes a custom field with its values on all devices. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...OWNED_PROBLEMS, 'custom_field_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.customFields.delete(caller, id);
    return { success: true };
  }
}

/** TEN-55: the values of custom fields are sub-resources of devices. */
@Controller('devices/:id/custom-fields')
@ApiTags('custom field values')
export class FieldValuesController {
  constructor(private readonly customFieldValues: CustomFieldValuesService) {}

  /** Reads a device's custom field values. */
  @Get()
  @Requires('devices:read')
  @ApiList(FieldValueRecord)
  @ApiProblems('device_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.customFieldValues.list(caller, id) };
  }

  /** Changes a device's custom field values. Omitted fields are not changed; null clears a value. */
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

@Controller('custom-fields/import')
@ApiTags('custom fields')
export class FieldImportsController {
  constructor(
    private readonly fieldImport: FieldImportService,
    private readonly importFields: ImportFields,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Shows the outcome of an import of field definitions for each row, without importing. */
  @Post('preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.import' })
  @ApiLists({ rows: AnnotatedFieldRecord })
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportFieldsDto) {
    return this.heavyCalls.during(caller.id, () => this.fieldImport.preview(caller, batch));
  }

  /** Imports field definitions. Each row is imported or reported separately. */
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

@Controller('devices/custom-fields/import')
@ApiTags('custom field values')
export class ValueImportsController {
  constructor(
    private readonly valueImport: ValueImportService,
    private readonly importValues: ImportValues,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Shows the outcome of an import of field values for each row, without importing. */
  @Post('preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ rows: ValueRowRecord })
  @ApiProblems('too_many_rows')
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto) {
    return this.heavyCalls.during(caller.id, () => this.valueImport.preview(caller, batch));
  }

  /** Imports field values. Each row identifies a device by its host name, or by its id in another system. */
  @Post()
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.values.import' })
  @ApiLists({ applied: ValueRowRecord, skipped: ValueRowRecord, errors: FaultyRowRecord })
  @ApiProblems('too_many_rows')
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportValuesDto): Promise<ValueImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importValues.import(caller, batch));
  }
}
