import { Module } from '@nestjs/common';
import { PamReadModels } from './read-models.ts';
import { QueueUninstall } from './queue-uninstall.ts';

/** Loaded by `pam` only: one consumer maintains the read models that both services read. */
@Module({ providers: [PamReadModels, QueueUninstall] })
export class PamReadModelsModule {}
