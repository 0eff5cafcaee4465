import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApiKeyListResponse, CreateApiKeyDto, DoneResponse, NewApiKeyResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CreateApiKey } from './create-api-key.ts';
import { DeleteApiKey } from './delete-api-key.ts';
import { ListApiKeys } from './list-api-keys.ts';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly listApiKeys: ListApiKeys,
    private readonly createApiKey: CreateApiKey,
    private readonly deleteApiKey: DeleteApiKey,
  ) {}

  /** Lists the caller's API keys. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ApiKeyListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<ApiKeyListResponse> {
    return this.listApiKeys.execute(caller);
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
    return this.createApiKey.execute(caller, body);
  }

  /** Deletes an API key. It stops working within five seconds. */
  @Delete(':id')
  @Requires(null, { mfa: true, audit: 'api_key.delete' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('api_key_not_found')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.deleteApiKey.execute(caller, id);
  }
}
