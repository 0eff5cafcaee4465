import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateEnrollmentKeyDto,
  EnrollmentKeyDto,
  EnrollmentKeyQuery,
  IssuedEnrollmentKeyDto,
  SuccessDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../rows/api-paged.ts';
import { CreateEnrollmentKey } from './create-enrollment-key.ts';
import { ListEnrollmentKeys } from './list-enrollment-keys.ts';
import { RotateEnrollmentKey } from './rotate-enrollment-key.ts';

/** Tenancy spec, "Enrollment key". */
@Controller('enrollment-keys')
@ApiTags('enrollment keys')
export class EnrollmentKeysController {
  constructor(
    private readonly listKeys: ListEnrollmentKeys,
    private readonly createKey: CreateEnrollmentKey,
    private readonly rotateKey: RotateEnrollmentKey,
  ) {}

  @Get()
  @Requires('organizations:write')
  @ApiPaged(EnrollmentKeyDto)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: EnrollmentKeyQuery) {
    return paged(query, await this.listKeys.execute(caller, query));
  }

  @Post()
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.create' })
  @ApiCreatedResponse({ type: IssuedEnrollmentKeyDto })
  @Refuses('site_not_in_org', 'site_access_denied', 'organization_not_found', 'organization_frozen')
  create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateEnrollmentKeyDto): Promise<IssuedEnrollmentKeyDto> {
    return this.createKey.execute(caller, draft);
  }

  @Get(':id')
  @Requires('organizations:write')
  @ApiOkResponse({ type: EnrollmentKeyDto })
  @Refuses('enrollment_key_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<EnrollmentKeyDto> {
    return this.listKeys.one(caller, id);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.rotate' })
  @ApiOkResponse({ type: IssuedEnrollmentKeyDto })
  @Refuses('enrollment_key_not_found', 'organization_frozen')
  rotate(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<IssuedEnrollmentKeyDto> {
    return this.rotateKey.execute(caller, id);
  }

  @Delete(':id')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.delete' })
  @ApiOkResponse({ type: SuccessDto })
  @Refuses('enrollment_key_not_found', 'organization_frozen')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessDto> {
    await this.rotateKey.delete(caller, id);
    return { success: true };
  }
}
