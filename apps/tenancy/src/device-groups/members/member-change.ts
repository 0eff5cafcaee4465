import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { DevicesRepository } from '../../devices/devices.repository.ts';
import { publishDevice, type PublishedDevice } from '../../rows/publish-state.ts';
import type { DeviceGroupRow } from '../device-groups.repository.ts';

/**
 * Locks the devices. All of them must be in the group's organisation and in the caller's reach.
 * @throws ProblemError device_not_found
 */
export async function lockMembers(
  tx: Tx,
  caller: UserCaller,
  devices: DevicesRepository,
  { orgId, deviceIds }: { readonly orgId: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  const known = await devices.lockOfOrganization(tx, caller, orgId, deviceIds);
  const missing = deviceIds.filter((deviceId) => !known.has(deviceId));
  if (missing.length > 0)
    throw new ProblemError('device_not_found', 'Some devices are not in the organization of the group.', {
      deviceIds: missing,
    });
}

/** Audits the change and publishes the new state of the devices. */
export function recordMemberChange(
  tx: Tx,
  action: 'device_group.devices.add' | 'device_group.devices.remove',
  { id, name, partnerId, orgId }: DeviceGroupRow,
  { deviceIds, devices }: { readonly deviceIds: readonly string[]; readonly devices: readonly PublishedDevice[] },
): void {
  for (const device of devices) publishDevice(tx, device);
  tx.audit({ action, partnerId, orgId, resource: { type: 'device_group', id, name }, details: { deviceIds } });
}
