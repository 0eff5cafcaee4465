import { Module } from '@nestjs/common';
import { DevicesRepository } from './devices.repository.ts';

@Module({ providers: [DevicesRepository], exports: [DevicesRepository] })
export class DevicesModule {}
