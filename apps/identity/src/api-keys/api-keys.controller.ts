import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ApiKeyListResponse,
  ApiKeyPolicyQuery,
  ApiKeyPolicyResponse,
  CreateApiKeyDto,
  DoneResponse,
  NewApiKeyResponse,
  SetApiKeyPolicyDto,
} from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiKeysService } from './api-keys.service.ts';
import { REACH_PROBLEMS } from '../people/grants/placement.ts';
import { NAMED_OWNER_PROBLEMS, OWNER_PROBLEMS } from '../providers/configuration/settings/provider-owner.ts';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  /** Lists the caller's API keys. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ApiKeyListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<ApiKeyListResponse> {
    return this.apiKeys.list(caller);
  }

  /**
   * Creates an API key. The response contains the key, which is shown only once. It cannot have permissions that the
   * caller lacks.
   */
  @Post()
  @Requires(null, { mfa: true, audit: 'api_key.create' })
  @ApiCreatedResponse({ type: NewApiKeyResponse })
  @ApiProblems('permission_denied', 'idempotency_secret_shown')
  create(@CurrentCaller() caller: UserCaller, @Body() body: CreateApiKeyDto): Promise<NewApiKeyResponse> {
    return this.apiKeys.create(caller, body);
  }

  /**
   * Reads the maximum lifetime of API keys of an organisation or the partner. Default: the owner is that of the
   * session.
   */
  @Get('policy')
  @Requires('users:read')
  @ApiOkResponse({ type: ApiKeyPolicyResponse })
  @ApiProblems(...NAMED_OWNER_PROBLEMS)
  policy(@CurrentCaller() caller: UserCaller, @Query() query: ApiKeyPolicyQuery): Promise<ApiKeyPolicyResponse> {
    return this.apiKeys.getPolicy(caller, query);
  }

  /**
   * Sets the maximum lifetime, in days, of API keys created from now on; null for no separate limit. A limit of the
   * partner also applies to its organisations.
   */
  @Put('policy')
  @Requires('users:write', { mfa: true, audit: 'api_key_policy.update' })
  @ApiOkResponse({ type: ApiKeyPolicyResponse })
  @ApiProblems(...OWNER_PROBLEMS)
  setPolicy(@CurrentCaller() caller: UserCaller, @Body() body: SetApiKeyPolicyDto): Promise<ApiKeyPolicyResponse> {
    return this.apiKeys.setPolicy(caller, body);
  }

  /** Deletes an API key. It stops working within five seconds. */
  @Delete(':id')
  @Requires(null, { mfa: true, audit: 'api_key.delete' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('api_key_not_found', ...REACH_PROBLEMS)
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.apiKeys.delete(caller, id);
  }
}
