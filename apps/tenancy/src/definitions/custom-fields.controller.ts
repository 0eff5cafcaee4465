import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateCustomFieldDto,
  CustomFieldResponse,
  CustomFieldQuery,
  SuccessResponse,
  UpdateCustomFieldDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPaged } from '../scope/api-paged.ts';
import { CustomFieldsService } from './custom-fields.service.ts';

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
    'organization_not_found',
  )
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
  @ApiProblems(
    'scope_denied',
    'site_access_denied',
    'custom_field_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.customFields.delete(caller, id);
    return { success: true };
  }
}
