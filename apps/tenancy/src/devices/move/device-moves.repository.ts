import type { UserCaller } from '@gatehouse/contracts-core';
import type { MoveConsequencesRecord } from '@gatehouse/contracts-tenancy';
import { scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const LEAVE_GROUPS = 'DELETE FROM device_group_members WHERE device_id = $1 RETURNING group_id';
const DROP_VALUES = `DELETE FROM custom_field_values v USING custom_fields f WHERE v.device_id = $1 AND f.id = v.field_id
    AND f.org_id IS NOT NULL RETURNING v.field_id`;
const DROP_ASSIGNMENTS = `DELETE FROM configuration_policy_assignments a USING configuration_policies p WHERE a.device_id = $1
    AND p.id = a.policy_id AND p.org_id IS NOT NULL RETURNING a.id`;
const KEEP_ASSIGNMENTS = 'UPDATE configuration_policy_assignments SET org_id = $2 WHERE device_id = $1';
// A source id applies only within the organisation whose import recorded it, so it does not move along.
const DROP_SOURCES = 'DELETE FROM device_sources WHERE device_id = $1';

/** The rows of other aggregates that a move to another organisation affects. */
@Injectable()
export class DeviceMovesRepository {
  /**
   * Locks the site, if it is in the organisation and in the caller's reach, so that no concurrent request deletes it.
   */
  async lockSite(tx: Tx, caller: UserCaller, { orgId, siteId }: { orgId: string; siteId: string }): Promise<boolean> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' })
      .add('id = ?', siteId)
      .add('org_id = ?', orgId);
    return (await tx.one(`SELECT id FROM sites ${where} FOR KEY SHARE`, parameters)) !== null;
  }

  /** Drops the device's data that belongs to its organisation, before it moves to another one. */
  async leaveOrganization(tx: Tx, id: string, targetId: string): Promise<MoveConsequencesRecord> {
    const groups = await tx.query<{ groupId: string }>(LEAVE_GROUPS, [id]);
    const values = await tx.query(DROP_VALUES, [id]);
    const dropped = await tx.query(DROP_ASSIGNMENTS, [id]);
    await tx.query(KEEP_ASSIGNMENTS, [id, targetId]);
    await tx.query(DROP_SOURCES, [id]);
    return {
      organizationChanged: true,
      groupsLeft: groups.map(({ groupId }) => groupId),
      customFieldValuesDropped: values.length,
      policyAssignmentsDropped: dropped.length,
    };
  }
}
