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

const NAMED_OWNER_PROBLEMS = [
  'org_required',
  'organization_not_found',
  'partner_context_required',
  'scope_denied',
] as const;
const OWNER_PROBLEMS = [
  ...NAMED_OWNER_PROBLEMS,
  'organization_frozen',
  'partner_access_denied',
  'site_access_denied',
] as const;

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
   * Creates an API key. The key is in the answer and is shown this once. It cannot have a permission that the caller
   * lacks.
   */
  @Post()
  @Requires(null, { mfa: true, audit: 'api_key.create' })
  @ApiCreatedResponse({ type: NewApiKeyResponse })
  @ApiProblems('permission_denied', 'idempotency_secret_shown')
  create(@CurrentCaller() caller: UserCaller, @Body() body: CreateApiKeyDto): Promise<NewApiKeyResponse> {
    return this.apiKeys.create(caller, body);
  }

  /**
   * Reads the longest life that API keys of an organisation, or of the partner, may have. Names no owner: that of the
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
   * Sets the longest life of the API keys that are made from now on, in days; null for no limit of its own. A limit of
   * the partner binds its organisations too.
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
  @ApiProblems('api_key_not_found')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.apiKeys.delete(caller, id);
  }
}
