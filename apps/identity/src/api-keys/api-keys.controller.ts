import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApiKeyListResponse, CreateApiKeyDto, DoneResponse, NewApiKeyResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiKeysService } from './api-keys.service.ts';

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

  /** Deletes an API key. It stops working within five seconds. */
  @Delete(':id')
  @Requires(null, { mfa: true, audit: 'api_key.delete' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('api_key_not_found')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.apiKeys.delete(caller, id);
  }
}
