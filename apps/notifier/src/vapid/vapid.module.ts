import { Global, Module } from '@nestjs/common';
import { VapidKeys } from './vapid-keys.ts';

@Global()
@Module({ providers: [VapidKeys], exports: [VapidKeys] })
export class VapidModule {}
