import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalLevelGroups } from '@gatehouse/contracts-pam';
import type { DeviceGroupQuery, DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { listedBelow, readableBelow, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { GROUP_STATE, type PublishedGroup } from '../scope/publish-state.ts';

/** A named set of devices of one organisation. */
@Entity('device_groups')
export class DeviceGroupEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') name!: string;
  @Column('varchar', { nullable: true }) description!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  /** A level of the organisation's approval policy names it. */
  @Column('boolean', { default: () => 'false' }) ofLevel!: boolean;
  @Column('bigint', { default: () => '0' }) levelsVersion!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** An organisation whose devices a group may have: its own, and during a merge also the merged one. */
@Entity('device_group_placements')
export class DeviceGroupPlacementEntity {
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}

/** The membership of a device in a group. */
@Entity('device_group_members')
export class DeviceGroupMemberEntity {
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}

const STATE = `SELECT ${GROUP_STATE} FROM device_groups WHERE id = $1`;
// The deletion is published as a state with a version of its own, newer than the last.
const DELETE = 'DELETE FROM device_groups WHERE id = $1 RETURNING id, partner_id, org_id, name, version + 1 AS version';

const LOCK = {
  'KEY SHARE': 'SELECT FROM device_groups WHERE id = $1 FOR KEY SHARE',
  UPDATE: 'SELECT FROM device_groups WHERE id = $1 FOR UPDATE',
};
// Also the groups that are not named: an older policy that names them may still arrive.
const NAME_IN_LEVELS = `
  UPDATE device_groups SET of_level = id = ANY ($2::uuid[]), levels_version = $3
   WHERE org_id = $1 AND levels_version < $3`;

/** Statements alias the group table as `g`. A site-confined caller counts only devices at the sites in reach. */
const columns = (sitesPlaceholder: string | null): string =>
  `g.id, g.org_id, g.name, g.description, (SELECT count(*) FROM device_group_members m
    JOIN devices d ON d.id = m.device_id
    WHERE m.group_id = g.id${sitesPlaceholder ? ` AND d.site_id = ANY (${sitesPlaceholder}::uuid[])` : ''}) AS device_count, g.created_at, g.updated_at`;

export type DeviceGroupRow = Omit<DeviceGroupEntity, 'version' | 'levelsVersion'> & { readonly deviceCount: number };

const deviceGroupNotFound = (): ProblemError =>
  new ProblemError('device_group_not_found', 'There is no such device group.');
const nameTaken = onConstraint({
  device_group_name_unique: () => new ProblemError('name_taken', 'Another group of this organisation has this name.'),
});

@Injectable()
export class DeviceGroupsRepository {
  list(reader: Reader, caller: UserCaller, query: DeviceGroupQuery): Promise<Page<DeviceGroupResponse>> {
    const conditions = scoped(caller.scope, { partner: 'g.partner_id', org: 'g.org_id' })
      .add('g.org_id = ?', query.orgId)
      .raw(listedBelow(caller, 'g.org_id'));
    const { sites } = caller.scope;
    // The sites are bound inside a condition that is always true, because the count and the rows share their
    // parameters.
    const sitesPlaceholder = sites === 'all' ? null : `$${conditions.parameters.length + 1}`;
    if (sites !== 'all') conditions.add('?::uuid[] IS NOT NULL', [...sites]);
    return listPage<DeviceGroupResponse>(reader, query, {
      columns: columns(sitesPlaceholder),
      from: 'device_groups g',
      conditions,
      order: ['g.name', 'g.id'],
    });
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<DeviceGroupRow> {
    const conditions = scoped(caller.scope, { partner: 'g.partner_id', org: 'g.org_id' })
      .add('g.id = ?', id)
      .raw(readableBelow(caller, 'g.org_id'));
    const { sites } = caller.scope;
    const selected = columns(sites === 'all' ? null : conditions.bind([...sites]));
    const sql = `SELECT ${selected}, g.partner_id, g.of_level FROM device_groups g ${conditions.where}`;
    const group = await reader.one<DeviceGroupRow>(sql, conditions.parameters);
    if (!group) throw deviceGroupNotFound();
    return group;
  }

  /**
   * Returns a group whose members the caller may change, and locks it.
   * @param lock `KEY SHARE` to change members; `UPDATE` to delete the group, which waits until no transaction changes
   *   its members, and lets none begin
   */
  async getWritable(
    tx: Tx,
    caller: UserCaller,
    id: string,
    lock: 'KEY SHARE' | 'UPDATE' = 'KEY SHARE',
  ): Promise<DeviceGroupRow> {
    const group = await this.get(tx, caller, id);
    await requireWritable(tx, caller, group.orgId);
    if (!(await tx.one(LOCK[lock], [id]))) throw deviceGroupNotFound();
    return group;
  }

  /** Remembers which groups the levels of an approval policy name; an older policy changes nothing. */
  async nameInLevels(tx: Tx, { orgId, groupIds, version }: ApprovalLevelGroups): Promise<void> {
    await tx.query(NAME_IN_LEVELS, [orgId, groupIds, version]);
  }

  /** The published columns of a group. */
  state(reader: Reader, id: string): Promise<PublishedGroup | null> {
    return reader.one<PublishedGroup>(STATE, [id]);
  }

  /** @returns the id */
  async insert(
    tx: Tx,
    group: Pick<DeviceGroupEntity, 'partnerId' | 'orgId' | 'name'> & { description?: string | null },
  ): Promise<string> {
    const id = newId();
    await tx.manager.insert(DeviceGroupEntity, { ...group, id }).catch(nameTaken);
    return id;
  }

  async update(tx: Tx, caller: UserCaller, id: string, updates: Partial<DeviceGroupEntity>): Promise<void> {
    const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add('id = ?', id);
    const set = assignments(updates, conditions);
    await tx.query(`UPDATE device_groups SET ${set} ${conditions.where}`, conditions.parameters).catch(nameTaken);
  }

  async delete(tx: Tx, id: string): Promise<PublishedGroup> {
    const deleted = await tx.one<PublishedGroup>(DELETE, [id]);
    if (!deleted) throw deviceGroupNotFound();
    return deleted;
  }
}

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

  /** @returns the devices that were not members before */
  async add(tx: Tx, { id, orgId, partnerId }: DeviceGroupRow, deviceIds: readonly string[]): Promise<string[]> {
    return idsOf(await tx.query<Member>(ADD, [id, deviceIds, orgId, partnerId]));
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
