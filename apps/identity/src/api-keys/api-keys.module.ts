import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';
import { CreateApiKey } from './create-api-key.ts';
import { DeleteApiKey } from './delete-api-key.ts';
import { ListApiKeys } from './list-api-keys.ts';

@Module({
  controllers: [ApiKeysController],
  providers: [ApiKeysRepository, ListApiKeys, CreateApiKey, DeleteApiKey],
})
export class ApiKeysModule {}
