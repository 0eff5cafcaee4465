import {
  type Changes,
  changeDetails,
  changesOf,
  type EventEnvelope,
  invalid,
  type Page,
  partUpdates,
  ProblemError,
  requireSame,
  requireWholeOrganization,
  type UserCaller,
} from '@gatehouse/contracts-core';
import { type ApprovalLevelGroups, ApprovalLevelsChanged } from '@gatehouse/contracts-pam';
import type {
  CreateDeviceGroupDto,
  DeviceGroupQuery,
  DeviceGroupResponse,
  GroupDevicesDto,
  UpdateDeviceGroupDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { returned } from '../scope/rows.repository.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { publishDevice, type PublishedDevice, type PublishedGroup, publishGroup } from '../scope/publish-state.ts';
import { type DeviceGroupRow, DeviceGroupsRepository, GroupMembersRepository } from './device-groups.repository.ts';
import { DevicesRepository } from './devices.repository.ts';

const GROUP_FIELDS = ['name', 'description'];

/** Audits the change of a group and publishes the group's new state. */
function recordGroupChange(
  tx: Tx,
  action: 'device_group.create' | 'device_group.update',
  group: PublishedGroup,
  details: { readonly changes: Changes; readonly changedFields?: readonly string[] },
): void {
  const { id, partnerId, orgId, name } = group;
  publishGroup(tx, group);
  tx.audit({ action, partnerId, orgId, resource: { type: 'device_group', id, name }, details });
}

const deviceGroupView = ({ partnerId: _, ofLevel: __, ...group }: DeviceGroupRow): DeviceGroupResponse => group;

@Injectable()
export class DeviceGroupsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
    private readonly groupMembersRepository: GroupMembersRepository,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  list(caller: UserCaller, query: DeviceGroupQuery): Promise<Page<DeviceGroupResponse>> {
    return this.work.read(caller, (reader) => this.deviceGroupsRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<DeviceGroupResponse> {
    return this.work.read(caller, async (reader) =>
      deviceGroupView(await this.deviceGroupsRepository.get(reader, caller, id)),
    );
  }

  /** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
  create(caller: UserCaller, { orgId, name, description }: CreateDeviceGroupDto): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      requireWholeOrganization(caller);
      const id = await this.deviceGroupsRepository.insert(tx, { partnerId, orgId, name, description });
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      const changes = changesOf(null, group, GROUP_FIELDS);
      recordGroupChange(tx, 'device_group.create', returned(await this.deviceGroupsRepository.state(tx, id)), {
        changes,
      });
      return deviceGroupView(group);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateDeviceGroupDto): Promise<DeviceGroupResponse> {
    const { updates, named } = partUpdates(patch, ['orgId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireWholeOrganization(caller);
      requireSame(named, known);
      await this.deviceGroupsRepository.update(tx, caller, id, updates);
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      const state = returned(await this.deviceGroupsRepository.state(tx, id));
      recordGroupChange(tx, 'device_group.update', state, changeDetails(known, group, updates));
      return deviceGroupView(group);
    });
  }

  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id, 'UPDATE');
      requireWholeOrganization(caller);
      const { partnerId, orgId, name } = group;
      const members = await this.groupMembersRepository.list(tx, id);
      await this.devicesRepository.lockOfOrganization(tx, caller, orgId, members);
      publishGroup(tx, await this.deviceGroupsRepository.delete(tx, id), true);
      for (const device of await this.devicesRepository.touch(tx, members)) publishDevice(tx, device);
      const details = { changes: changesOf({ ...group, members }, null, [...GROUP_FIELDS, 'members']) };
      tx.audit({
        action: 'device_group.delete',
        partnerId,
        orgId,
        resource: { type: 'device_group', id, name },
        details,
      });
    });
  }
}

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
function requireLevelRights(caller: UserCaller, { ofLevel }: DeviceGroupRow): void {
  if (ofLevel) requireWholeOrganization(caller);
}

/** Locks the devices. All of them must be in the group's organisation and in the caller's reach. */
async function lockMembers(
  tx: Tx,
  caller: UserCaller,
  devices: DevicesRepository,
  { orgId, deviceIds }: { readonly orgId: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  const known = await devices.lockOfOrganization(tx, caller, orgId, deviceIds);
  const missing = deviceIds.filter((deviceId) => !known.has(deviceId));
  if (missing.length > 0)
    throw new ProblemError('device_not_found', 'Some devices are not in the organisation of the group.', {
      deviceIds: missing,
    });
}

/** Audits the change and publishes the new state of the devices. */
function recordMemberChange(
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

/** The number of groups of a device; a device's state is one message, whose size the broker limits. */
const MAX_GROUPS = 1_000;

@Injectable()
export class DeviceGroupMembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
    private readonly groupMembersRepository: GroupMembersRepository,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  addGroupDevices(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireLevelRights(caller, group);
      // The lock serialises the requests that count the groups of a device.
      await lockMembers(tx, caller, this.devicesRepository, { orgId: group.orgId, deviceIds });
      const added = await this.groupMembersRepository.add(tx, group, deviceIds);
      const inTooMany = await this.groupMembersRepository.findInTooMany(tx, added, MAX_GROUPS);
      if (inTooMany) throw invalid('deviceIds', `${inTooMany} is in ${MAX_GROUPS} groups, and can be in no more`);
      const devices = await this.devicesRepository.touch(tx, added);
      recordMemberChange(tx, 'device_group.devices.add', group, { deviceIds: added, devices });
      return deviceGroupView(await this.deviceGroupsRepository.get(tx, caller, id));
    });
  }

  removeGroupDevices(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireLevelRights(caller, group);
      await lockMembers(tx, caller, this.devicesRepository, { orgId: group.orgId, deviceIds });
      const removed = await this.groupMembersRepository.remove(tx, id, deviceIds);
      const devices = await this.devicesRepository.touch(tx, removed);
      recordMemberChange(tx, 'device_group.devices.remove', group, { deviceIds: removed, devices });
      return deviceGroupView(await this.deviceGroupsRepository.get(tx, caller, id));
    });
  }
}
