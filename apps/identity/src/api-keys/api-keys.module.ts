import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';
import { SaveApiKey } from './save-api-key.ts';

@Module({ controllers: [ApiKeysController], providers: [ApiKeysRepository, SaveApiKey] })
export class ApiKeysModule {}
