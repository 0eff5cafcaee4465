import { type EventEnvelope, ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import { type ApprovalLevelGroups, ApprovalLevelsChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import type { DevicesRepository } from '../devices.repository.ts';
import { publishDevice, type PublishedDevice } from '../../scope/publish-state.ts';
import { type DeviceGroupRow, DeviceGroupsRepository } from '../device-groups.repository.ts';

/** Keeps up with the groups that the levels of approval policies name (PAM-306). */
@Injectable()
export class FollowApprovalLevels {
  constructor(private readonly deviceGroupsRepository: DeviceGroupsRepository) {}

  @Consumes(ApprovalLevelsChanged)
  async apply(tx: Tx, { data }: EventEnvelope<ApprovalLevelGroups>): Promise<void> {
    await this.deviceGroupsRepository.nameInLevels(tx, data);
  }
}

/**
 * Whose devices are in a group that a level names decides how many people approve their requests: that takes what
 * changing the level takes.
 */
export function requireLevelRights(caller: UserCaller, { ofLevel }: DeviceGroupRow): void {
  if (ofLevel) requireWholeOrganization(caller);
}

/** Locks the devices. All of them must be in the group's organisation and in the caller's reach. */
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
  const members =
    action === 'device_group.devices.add' ? { before: null, after: deviceIds } : { before: deviceIds, after: null };
  const details = { deviceIds, changes: { members } };
  tx.audit({ action, partnerId, orgId, resource: { type: 'device_group', id, name }, details });
}
