import { Module } from '@nestjs/common';
import { MaintainReadModels } from './maintain-read-models.ts';
import { ReadModelsRepository } from './read-models.repository.ts';

/** Loaded by `pam` only: one consumer maintains the read models that both services read. */
@Module({ providers: [MaintainReadModels, ReadModelsRepository] })
export class PamReadModelsModule {}
