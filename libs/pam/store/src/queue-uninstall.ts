import type { EventEnvelope } from '@gatehouse/contracts-core';
import { AgentUninstallRequested, type AgentUninstallRequest } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';

const QUEUE = `INSERT INTO device_commands (id, partner_id, org_id, device_id, type) VALUES ($1, $2, $3, $4, 'uninstall')`;

/** An archived organisation's agents are told to remove themselves (Tenancy spec, "Organisation status"). */
export class QueueUninstall {
  @Consumes(AgentUninstallRequested)
  async queue(tx: Tx, { id, data }: EventEnvelope<AgentUninstallRequest>): Promise<void> {
    await tx.query(QUEUE, [id, data.partnerId, data.orgId, data.deviceId]);
  }
}
