import type { EventEnvelope } from '@gatehouse/contracts-core';
import { AgentUninstallRequested, type AgentUninstallRequest, OrganizationChanged, type OrganizationState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';

const QUEUE = `INSERT INTO device_commands (id, partner_id, org_id, device_id, type) VALUES ($1, $2, $3, $4, 'uninstall')`;
/** A device that was decommissioned by itself stays told. */
const WITHDRAW = `
  DELETE FROM device_commands c USING device_ref d
   WHERE c.org_id = $1 AND c.type = 'uninstall' AND c.status = 'queued' AND d.device_id = c.device_id AND d.org_id = c.org_id AND d.status <> 'decommissioned'`;

/** An archived organisation's agents are told to remove themselves (Tenancy spec, "Organisation status"); those that have not heard it when it is restored stay. */
export class QueueUninstall {
  @Consumes(AgentUninstallRequested)
  async queue(tx: Tx, { id, data }: EventEnvelope<AgentUninstallRequest>): Promise<void> {
    await tx.query(QUEUE, [id, data.partnerId, data.orgId, data.deviceId]);
  }

  @Consumes(OrganizationChanged)
  async withdraw(tx: Tx, { data: { orgId, status, deleted } }: EventEnvelope<OrganizationState>): Promise<void> {
    if (status === 'active' && !deleted) await tx.query(WITHDRAW, [orgId]);
  }
}
