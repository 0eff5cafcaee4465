import { Global, Module } from '@nestjs/common';
import { VapidKeys } from './vapid-keys.ts';
import { VapidKeysRepository } from './vapid-keys.repository.ts';

@Global()
@Module({ providers: [VapidKeysRepository, VapidKeys], exports: [VapidKeys] })
export class VapidModule {}
