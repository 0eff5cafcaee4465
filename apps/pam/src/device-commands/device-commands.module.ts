import { Module } from '@nestjs/common';
import { CommandQueueRepository } from './command-queue.repository.ts';

@Module({ providers: [CommandQueueRepository], exports: [CommandQueueRepository] })
export class DeviceCommandsModule {}
