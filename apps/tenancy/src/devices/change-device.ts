import { type AuditAction, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse, IssuedAgentTokenResponse, UpdateDeviceDto } from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Conditions, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, requestUninstall } from '../rows/publish-state.ts';
import { assignments, returned } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { CHANGED_DEVICE, type ChangedDevice, deviceNotFound, devicesInReach, deviceView } from './device.view.ts';

interface Change {
  readonly action: AuditAction;
  readonly details?: Record<string, unknown>;
}

/**
 * Locks and returns the device if the caller may write below its organisation.
 * @throws ProblemError device_not_found, organization_frozen
 */
export async function requireDevice(tx: Tx, caller: UserCaller, id: string): Promise<ChangedDevice> {
  const { where, parameters } = devicesInReach(caller).add('d.id = ?', id);
  const found = await tx.one<{ orgId: string }>(`SELECT d.org_id FROM devices d ${where}`, parameters);
  if (!found) throw deviceNotFound();
  // The organisation is locked first, in the same order as when a merge moves its rows.
  await requireWritable(tx, caller, found.orgId);
  const device = await tx.one<ChangedDevice>(
    `SELECT ${CHANGED_DEVICE} FROM devices d ${where} FOR UPDATE OF d`,
    parameters,
  );
  if (!device) throw deviceNotFound();
  return device;
}

/**
 * Rejects changes that make no sense for a decommissioned device.
 * @throws ProblemError device_inactive
 */
export function requireInService({ status }: ChangedDevice): void {
  if (status === 'decommissioned') throw new ProblemError('device_inactive', 'This device is decommissioned.');
}

@Injectable()
export class ChangeDevice {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError no_updates_provided, device_not_found, device_inactive, organization_frozen */
  async update(caller: UserCaller, id: string, patch: UpdateDeviceDto): Promise<DeviceResponse> {
    const updates = requireUpdates(patch);
    const set = (conditions: Conditions): string => assignments(updates, conditions);
    return deviceView(
      await this.work.once(caller, caller.idempotency, (tx) =>
        this.change(tx, caller, id, { set, action: 'device.update', details: { changedFields: Object.keys(updates) } }),
      ),
    );
  }

  /**
   * Takes the device out of service for good: its agent is recognised but rejected, and it counts under no cap.
   * @throws ProblemError device_not_found, device_inactive, organization_frozen
   */
  decommission(caller: UserCaller, id: string): Promise<DeviceResponse> {
    const set = (): string => `status = 'decommissioned', decommissioned_at = now()`;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const device = await this.change(tx, caller, id, { set, action: 'device.decommission' });
      requestUninstall(tx, device);
      return deviceView(device);
    });
  }

  /**
   * The old token stops working at once. A repeated request with the same idempotency key gets the same answer, which
   * is stored sealed.
   * @throws ProblemError device_not_found, device_inactive, organization_frozen
   */
  rotateToken(caller: UserCaller, id: string): Promise<IssuedAgentTokenResponse> {
    const agentToken = `gha_${randomToken()}`;
    const set = (conditions: Conditions): string => `agent_token_hash = ${conditions.bind(sha256Hex(agentToken))}`;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const device = await this.change(tx, caller, id, { set, action: 'device.agent_token.rotate' });
      return { deviceId: device.id, agentToken };
    });
  }

  private async change(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { set, action, details }: Change & { set: (conditions: Conditions) => string },
  ): Promise<ChangedDevice> {
    requireInService(await requireDevice(tx, caller, id));
    const conditions = devicesInReach(caller).add('d.id = ?', id);
    const assigned = set(conditions);
    const device = returned(
      await tx.one<ChangedDevice>(
        `UPDATE devices d SET ${assigned} ${conditions.where} RETURNING ${CHANGED_DEVICE}`,
        conditions.parameters,
      ),
    );
    const { partnerId, orgId, siteId, hostname } = device;
    tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'device', id, name: hostname }, details });
    publishDevice(tx, device);
    return device;
  }
}
