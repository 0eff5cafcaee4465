import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  AnnotatedFieldRecord,
  CreateCustomFieldDto,
  CustomFieldResponse,
  CustomFieldQuery,
  FaultyRowRecord,
  FieldRowOutcomeRecord,
  ImportFieldsDto,
  SuccessResponse,
  UpdateCustomFieldDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS, ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiLists, ApiPaged } from '../rows/api-paged.ts';
import { type FieldImportOutcome, ImportFields } from './import/import-fields.ts';
import { ListCustomFields } from './list-custom-fields.ts';
import { SaveCustomField } from './save-custom-field.ts';

/** TEN-55. */
@Controller('custom-fields')
@ApiTags('custom fields')
export class CustomFieldsController {
  constructor(
    private readonly listFields: ListCustomFields,
    private readonly saveField: SaveCustomField,
    private readonly importFields: ImportFields,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  /** Lists the custom fields in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(CustomFieldResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: CustomFieldQuery) {
    return paged(query, await this.listFields.execute(caller, query));
  }

  /** Defines a custom field. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'custom_field.create' })
  @ApiData(CustomFieldResponse, 201)
  @ApiProblems(
    'partner_required',
    'org_required',
    'scope_denied',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
    'name_taken',
  )
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateCustomFieldDto) {
    return { data: await this.saveField.create(caller, draft) };
  }

  /** Says what an import of field definitions would do to each row, without doing it. */
  @Post('import/preview')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.import' })
  @ApiLists({ rows: AnnotatedFieldRecord })
  preview(@CurrentCaller() caller: UserCaller, @Body() batch: ImportFieldsDto) {
    return this.heavyCalls.during(caller.id, () => this.importFields.preview(caller, batch));
  }

  /** Imports field definitions. Each row is taken or reported by itself. */
  @Post('import')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.import' })
  @ApiLists({
    created: FieldRowOutcomeRecord,
    updated: FieldRowOutcomeRecord,
    skipped: FieldRowOutcomeRecord,
    errors: FaultyRowRecord,
  })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportFieldsDto): Promise<FieldImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importFields.execute(caller, batch));
  }

  /** Reads a custom field. */
  @Get(':id')
  @Requires('devices:read')
  @ApiData(CustomFieldResponse)
  @ApiProblems('custom_field_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.listFields.one(caller, id) };
  }

  /** Changes a custom field. Its type and key stay as they are. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'custom_field.update' })
  @ApiData(CustomFieldResponse)
  @ApiProblems(
    'no_updates_provided',
    'scope_denied',
    'site_access_denied',
    'custom_field_not_found',
    'organization_frozen',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateCustomFieldDto,
  ) {
    return { data: await this.saveField.update(caller, id, patch) };
  }

  /** Deletes a custom field with its values on all devices. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'custom_field.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('scope_denied', 'site_access_denied', 'custom_field_not_found', 'organization_frozen')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.saveField.delete(caller, id);
    return { success: true };
  }
}
