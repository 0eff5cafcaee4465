import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApiKeyList, CreateApiKeyInput, Done, NewApiKeyAnswer } from '@gatehouse/contracts-identity';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SaveApiKey } from './save-api-key.ts';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: SaveApiKey) {}

  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ApiKeyList })
  list(@CurrentCaller() caller: UserCaller): Promise<ApiKeyList> {
    return this.apiKeys.list(caller);
  }

  @Post()
  @Requires(null, { mfa: true, audit: 'api_key.create' })
  @ApiCreatedResponse({ type: NewApiKeyAnswer })
  @Refuses('permission_denied')
  create(@CurrentCaller() caller: UserCaller, @Body() body: CreateApiKeyInput): Promise<NewApiKeyAnswer> {
    return this.apiKeys.create(caller, body);
  }

  @Delete(':id')
  @Requires(null, { mfa: true, audit: 'api_key.delete' })
  @ApiOkResponse({ type: Done })
  @Refuses('api_key_not_found')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<Done> {
    return this.apiKeys.delete(caller, id);
  }
}
