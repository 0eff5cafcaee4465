import { Module } from '@nestjs/common';
import { QueueUninstall } from './queue-uninstall.ts';
import { UninstallCommandsRepository } from './uninstall-commands.repository.ts';

/** Loaded by `pam` only. */
@Module({ providers: [QueueUninstall, UninstallCommandsRepository] })
export class UninstallModule {}
