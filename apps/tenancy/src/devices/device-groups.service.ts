import {
  type Changes,
  changesOf,
  type Page,
  partUpdates,
  requireSame,
  requireWholeOrganization,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  CreateDeviceGroupDto,
  DeviceGroupQuery,
  DeviceGroupResponse,
  UpdateDeviceGroupDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from './devices.repository.ts';
import { returned } from '../scope/assignments.ts';
import { publishDevice, type PublishedGroup, publishGroup } from '../scope/publish-state.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { type DeviceGroupRow, DeviceGroupsRepository } from './device-groups.repository.ts';
import { GroupMembersRepository } from './members/group-members.repository.ts';

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

export const deviceGroupView = ({ partnerId: _, ofLevel: __, ...group }: DeviceGroupRow): DeviceGroupResponse => group;

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
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      const id = await this.deviceGroupsRepository.insert(tx, { partnerId, orgId, name, description });
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      const changes = changesOf(null, group, GROUP_FIELDS);
      recordGroupChange(tx, 'device_group.create', returned(await this.deviceGroupsRepository.state(tx, id)), {
        changes,
      });
      return deviceGroupView(group);
    });
  }

  /** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
  update(caller: UserCaller, id: string, patch: UpdateDeviceGroupDto): Promise<DeviceGroupResponse> {
    const { updates, named } = partUpdates(patch, ['orgId']);
    const changedFields = Object.keys(updates);
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireSame(named, known);
      await this.deviceGroupsRepository.update(tx, caller, id, updates);
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      const state = returned(await this.deviceGroupsRepository.state(tx, id));
      recordGroupChange(tx, 'device_group.update', state, {
        changedFields,
        changes: changesOf(known, group, GROUP_FIELDS),
      });
      return deviceGroupView(group);
    });
  }

  /** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
  async delete(caller: UserCaller, id: string): Promise<void> {
    requireWholeOrganization(caller);
    await this.work.run(caller, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      const { partnerId, orgId, name } = group;
      const members = await this.groupMembersRepository.list(tx, id);
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
