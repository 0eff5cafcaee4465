import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  type AgentUninstallRequest,
  AgentUninstallRequested,
  OrganizationChanged,
  type OrganizationState,
  type OrganizationStatus,
} from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable, Module } from '@nestjs/common';
import { UninstallCommandsRepository } from './device-commands.repository.ts';

const WITHOUT_AGENTS: readonly OrganizationStatus[] = ['archived', 'purging'];

/**
 * When an organisation is archived, queues the uninstall of its agents (TEN-40). When it is restored, deletes the
 * commands that agents have not fetched.
 */
@Injectable()
export class QueueUninstall {
  constructor(private readonly uninstallCommands: UninstallCommandsRepository) {}

  @Consumes(AgentUninstallRequested)
  async queue(tx: Tx, { id, data }: EventEnvelope<AgentUninstallRequest>): Promise<void> {
    await this.uninstallCommands.queue(tx, id, data);
  }

  @Consumes(OrganizationChanged)
  async withdraw(
    tx: Tx,
    { data: { orgId, status, deleted, version } }: EventEnvelope<OrganizationState>,
  ): Promise<void> {
    if (!WITHOUT_AGENTS.includes(status) && !deleted) await this.uninstallCommands.withdraw(tx, orgId, version);
  }
}

/** Loaded by `pam` only. */
@Module({ providers: [QueueUninstall, UninstallCommandsRepository] })
export class UninstallModule {}
