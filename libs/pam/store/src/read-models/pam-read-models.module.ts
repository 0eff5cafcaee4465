import { Module } from '@nestjs/common';
import { MaintainReadModels } from './maintain-read-models.ts';
import { QueueUninstall } from '../commands/queue-uninstall.ts';

/** Loaded by `pam` only: one consumer maintains the read models that both services read. */
@Module({ providers: [MaintainReadModels, QueueUninstall] })
export class PamReadModelsModule {}
