import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  AgentUninstallRequested,
  type AgentUninstallRequest,
  OrganizationChanged,
  type OrganizationState,
  type OrganizationStatus,
} from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';

// Locks the organisation's row, so that of a restore and a request handled concurrently one sees the other.
const HOLD_ORG = 'SELECT FROM org_ref WHERE org_id = $1 FOR SHARE';
const QUEUE = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, type) SELECT $1, $2, $3, $4, 'uninstall'
   WHERE NOT EXISTS (SELECT FROM org_ref WHERE org_id = $3 AND status NOT IN ('archived', 'purging') AND version > $5)`;
/**
 * The uninstall command is kept for a device that was itself decommissioned, and for all if the organisation has been
 * archived again since.
 */
const WITHDRAW = `
  DELETE FROM device_commands c WHERE c.org_id = $1 AND c.type = 'uninstall' AND c.status = 'queued'
     AND NOT EXISTS (SELECT FROM device_ref d WHERE d.device_id = c.device_id AND d.status = 'decommissioned')
     AND NOT EXISTS (SELECT FROM org_ref WHERE org_id = $1 AND status IN ('archived', 'purging') AND version > $2)`;
const AGENTS_GO: readonly OrganizationStatus[] = ['archived', 'purging'];

/**
 * When an organisation is archived, queues the uninstall of its agents (TEN-40). When it is restored, deletes the
 * commands that agents have not fetched.
 */
export class QueueUninstall {
  @Consumes(AgentUninstallRequested)
  async queue(tx: Tx, { id, data }: EventEnvelope<AgentUninstallRequest>): Promise<void> {
    await tx.query(HOLD_ORG, [data.orgId]);
    await tx.query(QUEUE, [id, data.partnerId, data.orgId, data.deviceId, data.orgVersion ?? null]);
  }

  @Consumes(OrganizationChanged)
  async withdraw(
    tx: Tx,
    { data: { orgId, status, deleted, version } }: EventEnvelope<OrganizationState>,
  ): Promise<void> {
    if (!AGENTS_GO.includes(status) && !deleted) await tx.query(WITHDRAW, [orgId, version]);
  }
}
