import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { deviceGroupNotFound, type DeviceGroupRow } from '../device-groups.repository.ts';

const MEMBERS = 'SELECT device_id FROM device_group_members WHERE group_id = $1';
const ADD = `INSERT INTO device_group_members (group_id, device_id, org_id, partner_id) SELECT $1, unnest($2::uuid[]), $3, $4
    ON CONFLICT DO NOTHING RETURNING device_id`;
const REMOVE =
  'DELETE FROM device_group_members WHERE group_id = $1 AND device_id = ANY ($2::uuid[]) RETURNING device_id';
const IN_TOO_MANY = `SELECT device_id FROM device_group_members WHERE device_id = ANY ($1::uuid[]) GROUP BY device_id
  HAVING count(*) > $2::integer LIMIT 1`;

type Member = { readonly deviceId: string };
const idsOf = (members: readonly Member[]): string[] => members.map(({ deviceId }) => deviceId);

@Injectable()
export class GroupMembersRepository {
  async list(reader: Reader, groupId: string): Promise<string[]> {
    return idsOf(await reader.query<Member>(MEMBERS, [groupId]));
  }

  /**
   * @throws ProblemError device_group_not_found, if a concurrent request deleted the group
   * @returns the devices that were not members before
   */
  async add(tx: Tx, { id, orgId, partnerId }: DeviceGroupRow, deviceIds: readonly string[]): Promise<string[]> {
    const deletedConcurrently = onConstraint({ member_group_in_organization: deviceGroupNotFound });
    return idsOf(await tx.query<Member>(ADD, [id, deviceIds, orgId, partnerId]).catch(deletedConcurrently));
  }

  /** @returns the devices that were members */
  async remove(tx: Tx, groupId: string, deviceIds: readonly string[]): Promise<string[]> {
    return idsOf(await tx.query<Member>(REMOVE, [groupId, deviceIds]));
  }

  /** One of the devices that are in more groups than allowed; null if there is none. */
  async findInTooMany(tx: Tx, deviceIds: readonly string[], maxGroups: number): Promise<string | null> {
    return (await tx.one<Member>(IN_TOO_MANY, [deviceIds, maxGroups]))?.deviceId ?? null;
  }
}
