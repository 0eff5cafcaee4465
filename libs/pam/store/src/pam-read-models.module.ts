import { Module } from '@nestjs/common';
import { PamReadModels } from './read-models.ts';
import { QueueUninstall } from './queue-uninstall.ts';

/** Loaded by `pam` alone: one consumer keeps the tables that both deployables read. */
@Module({ providers: [PamReadModels, QueueUninstall] })
export class PamReadModelsModule {}
