import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateEnrollmentKeyDto,
  EnrollmentKeyResponse,
  EnrollmentKeyQuery,
  IssuedEnrollmentKeyResponse,
  SuccessResponse,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../scope/api-paged.ts';
import { EnrollmentKeysService } from './enrollment-keys.service.ts';

/** TEN-50. */
@Controller('enrollment-keys')
@ApiTags('enrollment keys')
export class EnrollmentKeysController {
  constructor(private readonly enrollmentKeys: EnrollmentKeysService) {}

  /** Lists the enrolment keys in the caller's reach. The keys themselves are not stored and cannot be shown. */
  @Get()
  @Requires('organizations:write')
  @ApiPaged(EnrollmentKeyResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: EnrollmentKeyQuery) {
    return paged(query, await this.enrollmentKeys.list(caller, query));
  }

  /** Creates an enrolment key. The response contains the key, which is shown only once. */
  @Post()
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.create' })
  @ApiCreatedResponse({ type: IssuedEnrollmentKeyResponse })
  @ApiProblems(
    'site_not_in_org',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
    'idempotency_secret_shown',
  )
  create(
    @CurrentCaller() caller: UserCaller,
    @Body() draft: CreateEnrollmentKeyDto,
  ): Promise<IssuedEnrollmentKeyResponse> {
    return this.enrollmentKeys.create(caller, draft);
  }

  /** Reads an enrolment key, without the key itself. */
  @Get(':id')
  @Requires('organizations:write')
  @ApiOkResponse({ type: EnrollmentKeyResponse })
  @ApiProblems('enrollment_key_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<EnrollmentKeyResponse> {
    return this.enrollmentKeys.get(caller, id);
  }

  /** Rotates an enrolment key. The old key stops working; the new one is shown only once. */
  @Post(':id/rotate')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.rotate' })
  @ApiOkResponse({ type: IssuedEnrollmentKeyResponse })
  @ApiProblems('enrollment_key_not_found', 'organization_frozen', 'organization_not_found', 'idempotency_secret_shown')
  rotate(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<IssuedEnrollmentKeyResponse> {
    return this.enrollmentKeys.rotate(caller, id);
  }

  /** Deletes an enrolment key. Devices enrolled with it are kept. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('organizations:write', { mfa: true, audit: 'enrollment_key.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('enrollment_key_not_found', 'organization_frozen', 'organization_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.enrollmentKeys.delete(caller, id);
    return { success: true };
  }
}
