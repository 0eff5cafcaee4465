import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MoveConsequencesRecord, MovedDeviceResponse, MoveDeviceDto } from '@gatehouse/contracts-tenancy';
import { scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { requireDevice, requireInService } from './change-device.ts';
import { CHANGED_DEVICE, type ChangedDevice, deviceView } from './device.view.ts';
import { requireRoomForDevice } from './counts/device-caps.ts';

const LEAVE_GROUPS = 'DELETE FROM device_group_members WHERE device_id = $1 RETURNING group_id';
const DROP_VALUES =
  'DELETE FROM custom_field_values v USING custom_fields f WHERE v.device_id = $1 AND f.id = v.field_id AND f.org_id IS NOT NULL RETURNING v.field_id';
const DROP_ASSIGNMENTS =
  'DELETE FROM configuration_policy_assignments a USING configuration_policies p WHERE a.device_id = $1 AND p.id = a.policy_id AND p.org_id IS NOT NULL RETURNING a.id';
const KEEP_ASSIGNMENTS = 'UPDATE configuration_policy_assignments SET org_id = $2 WHERE device_id = $1';
// A source id applies only within the organisation whose import recorded it, so it does not move along.
const DROP_SOURCES = 'DELETE FROM device_sources WHERE device_id = $1';
const MOVE = `UPDATE devices d SET org_id = $2, site_id = $3 WHERE d.id = $1 RETURNING ${CHANGED_DEVICE}`;

const STAYED: MoveConsequencesRecord = {
  organizationChanged: false,
  groupsLeft: [],
  customFieldValuesDropped: 0,
  policyAssignmentsDropped: 0,
};

@Injectable()
export class MoveDevice {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Moves a device to another site, or to another organisation of the same partner. The answer lists the assignments
   * that the device lost.
   * @throws ProblemError device_not_found, device_inactive, organization_not_found, organization_frozen,
   * site_not_in_org, device_limit_reached
   */
  execute(caller: UserCaller, id: string, { orgId, siteId }: MoveDeviceDto): Promise<MovedDeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await requireDevice(tx, caller, id);
      requireInService(current);
      const target = orgId ?? current.orgId;
      await this.requireTarget(tx, caller, current, { orgId: target, siteId });
      const consequences = target === current.orgId ? STAYED : await this.leave(tx, id, target);
      const device = returned(await tx.one<ChangedDevice>(MOVE, [id, target, siteId]));
      const from = { orgId: current.orgId, siteId: current.siteId };
      tx.audit({
        action: 'device.move',
        partnerId: device.partnerId,
        orgId: target,
        siteId,
        resource: { type: 'device', id, name: device.hostname },
        details: { from, to: { orgId: target, siteId }, ...consequences },
      });
      publishDevice(tx, device);
      return { ...deviceView(device), consequences };
    });
  }

  private async requireTarget(
    tx: Tx,
    caller: UserCaller,
    current: ChangedDevice,
    { orgId, siteId }: { orgId: string; siteId: string },
  ): Promise<void> {
    if (orgId !== current.orgId) {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      if (partnerId !== current.partnerId)
        throw new ProblemError('target_not_found', 'A device cannot move to another partner.');
      await requireRoomForDevice(tx, { partnerId, orgId }, 'same-partner');
    }
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' })
      .add('id = ?', siteId)
      .add('org_id = ?', orgId);
    if (!(await tx.one(`SELECT id FROM sites ${where} FOR KEY SHARE`, parameters)))
      throw new ProblemError('site_not_in_org', 'The site does not belong to this organization.');
  }

  private async leave(tx: Tx, id: string, target: string): Promise<MoveConsequencesRecord> {
    const groups = await tx.query<{ groupId: string }>(LEAVE_GROUPS, [id]);
    const values = await tx.query(DROP_VALUES, [id]);
    const dropped = await tx.query(DROP_ASSIGNMENTS, [id]);
    await tx.query(KEEP_ASSIGNMENTS, [id, target]);
    await tx.query(DROP_SOURCES, [id]);
    return {
      organizationChanged: true,
      groupsLeft: groups.map(({ groupId }) => groupId),
      customFieldValuesDropped: values.length,
      policyAssignmentsDropped: dropped.length,
    };
  }
}
