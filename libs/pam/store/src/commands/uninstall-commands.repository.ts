import type { AgentUninstallRequest } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';

// Locks the organisation's row, so that of a restore and a request handled concurrently one sees the other.
const LOCK_ORGANIZATION = 'SELECT FROM org_ref WHERE org_id = $1 FOR SHARE';
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

export class UninstallCommandsRepository {
  /** Queues the command unless the organisation has been restored by a later change. */
  async queue(tx: Tx, id: string, { partnerId, orgId, deviceId, orgVersion }: AgentUninstallRequest): Promise<void> {
    await tx.query(LOCK_ORGANIZATION, [orgId]);
    await tx.query(QUEUE, [id, partnerId, orgId, deviceId, orgVersion ?? null]);
  }

  /** Deletes the organisation's commands that no agent has fetched. @param version of the restored organisation */
  async withdraw(tx: Tx, orgId: string, version: number): Promise<void> {
    await tx.query(WITHDRAW, [orgId, version]);
  }
}
