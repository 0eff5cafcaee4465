import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  DEVICE_SORTS,
  DeviceQuery,
  DeviceResponse,
  DeviceStatus,
  MoveConsequencesRecord,
} from '@gatehouse/contracts-tenancy';
import { type Conditions, FoldedColumn, foldedPattern, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, returned } from '../scope/rows.repository.ts';
import { listPage, orderBy, searchPage } from '../scope/list-page.sql.ts';
import { listedBelow, readableBelow, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { DEVICE_AGENT, DEVICE_STATE, GROUP_IDS, type PublishedDevice } from '../scope/publish-state.ts';

const SEARCH_TEXT =
  "lower((((((hostname)::text || '\n'::text) || (COALESCE(display_name, ''::character varying))::text) || '\n'::text) || (COALESCE(serial_number, ''::character varying))::text))";
const FOLDED_SEARCH =
  "((((folded_name((hostname)::text) || '\n'::text) || COALESCE(folded_name((display_name)::text), ''::text)) || '\n'::text) || COALESCE(folded_name((serial_number)::text), ''::text))";

/** A machine with an agent. */
@Entity('devices')
export class DeviceEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') siteId!: string;
  @Column('varchar') hostname!: string;
  @Column('varchar', { nullable: true }) displayName!: string | null;
  @Column('varchar') osType!: string;
  @Column('varchar', { nullable: true }) osVersion!: string | null;
  @Column('varchar', { nullable: true }) agentVersion!: string | null;
  @Column('varchar', { nullable: true }) serialNumber!: string | null;
  @Column('text', { default: () => "'online'::text" }) status!: DeviceStatus;
  /** SHA-256 of the agent's token, in hexadecimal. */
  @Column('char', { nullable: true }) agentTokenHash!: string | null;
  /** The token that the agent or an administrator has replaced; works until `previousTokenUntil`. */
  @Column('char', { nullable: true }) previousTokenHash!: string | null;
  @Column('timestamptz', { nullable: true }) previousTokenUntil!: Date | null;
  /** The device that the machine is, if an administrator confirms it (TEN-101). */
  @Column('uuid', { nullable: true }) returnsAs!: string | null;
  /** The version of the agent protocol that the agent states. */
  @Column('integer', { default: () => '1' }) agentProtocol!: number;
  /** When the administrators were last told that the machine enrolled again. */
  @Column('timestamptz', { nullable: true }) reenrolmentToldAt!: Date | null;
  /** The time of enrolment; `device_presence` records when the agent was seen since. */
  @Column('timestamptz', { nullable: true }) lastSeenAt!: Date | null;
  @Column('timestamptz', { nullable: true }) decommissionedAt!: Date | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** Searched by the release before this one. */
  @Column({ type: 'text', generatedType: 'STORED', asExpression: SEARCH_TEXT }) searchText!: string;
  /** Hostname and serial number in the form in which names are compared (TEN-100). */
  @FoldedColumn('hostname') foldedHostname?: string;
  @FoldedColumn('serial_number') foldedSerial?: string | null;
  /** Hostname, display name and serial number in that form, for searching. */
  @Column({
    type: 'text',
    nullable: true,
    generatedType: 'STORED',
    asExpression: FOLDED_SEARCH,
    insert: false,
    update: false,
  })
  foldedSearch?: string;
}

// The last time the agent was seen, or its enrolment if it was not seen since.
const LAST_SEEN_AT =
  'coalesce((SELECT p.last_seen_at FROM device_presence p WHERE p.device_id = d.id), d.last_seen_at)';
const PLACE = `d.org_id, (SELECT o.name FROM organizations o WHERE o.id = d.org_id) AS org_name,
  d.site_id, (SELECT s.name FROM sites s WHERE s.id = d.site_id) AS site_name`;
const COLUMNS = `d.id, ${PLACE}, ${GROUP_IDS}, d.hostname, d.display_name, d.os_type, d.os_version, d.agent_version, d.serial_number,
  d.status, d.returns_as, ${LAST_SEEN_AT} AS last_seen_at, d.decommissioned_at, d.created_at, d.updated_at`;
/** What the answer needs, and what the event and the audit record need besides. */
const ROW = `${COLUMNS}, d.partner_id, ${DEVICE_AGENT}, d.version`;

const INSERT = `
  INSERT INTO devices AS d (id, partner_id, org_id, site_id, hostname, os_type, os_version, agent_version,
    serial_number, agent_token_hash, agent_protocol, returns_as, status, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    CASE WHEN $12::uuid IS NULL THEN 'online' ELSE 'awaiting_confirmation' END, now()) RETURNING ${DEVICE_STATE}`;
const MOVE = `UPDATE devices d SET org_id = $2, site_id = $3 WHERE d.id = $1 RETURNING ${ROW}`;
/** Joining or leaving a group makes a new version of a device, although its own row does not refer to groups. */
export const TOUCH_DEVICES = `UPDATE devices d SET last_seen_at = last_seen_at WHERE d.id = ANY ($1::uuid[])
  RETURNING ${DEVICE_STATE}`;

const SORTED_BY: Record<(typeof DEVICE_SORTS)[number], string> = {
  hostname: 'd.hostname',
  status: 'd.status',
  lastSeenAt: LAST_SEEN_AT,
  createdAt: 'd.created_at',
};

export type DeviceRow = Omit<DeviceEntity, 'searchText'> & Pick<DeviceResponse, 'groupIds' | 'orgName' | 'siteName'>;

export type NewDevice = Pick<
  DeviceEntity,
  'id' | 'partnerId' | 'orgId' | 'siteId' | 'hostname' | 'osType' | 'agentTokenHash' | 'agentProtocol'
> &
  Partial<Pick<DeviceEntity, 'osVersion' | 'agentVersion' | 'serialNumber' | 'returnsAs'>>;

const deviceNotFound = (): ProblemError => new ProblemError('device_not_found', 'There is no such device.');

const devicesInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'd.partner_id', org: 'd.org_id', site: 'd.site_id' });

/** Condition for reading one device. Below a deleted organisation only the system can read. */
const readable = (caller: UserCaller, id: string): Conditions =>
  devicesInReach(caller).add('d.id = ?', id).raw(readableBelow(caller, 'd.org_id'));

@Injectable()
export class DevicesRepository {
  /** @param totalOf the number of devices in the list, if it is known without counting */
  list(
    reader: Reader,
    caller: UserCaller,
    query: DeviceQuery,
    totalOf: ((reader: Reader) => Promise<number>) | undefined,
  ): Promise<Page<DeviceResponse>> {
    const conditions = devicesInReach(caller)
      .add('d.org_id = ?', query.orgId)
      .add('d.site_id = ?', query.siteId)
      .add('d.status = ?', query.status)
      .add('d.id IN (SELECT g.device_id FROM device_group_members g WHERE g.group_id = ?)', query.groupId)
      .add(`${LAST_SEEN_AT} < ?`, query.lastSeenBefore)
      .add('d.folded_search LIKE ?', foldedPattern(query.search))
      .raw(listedBelow(caller, 'd.org_id'));
    return (query.search ? searchPage : listPage)<DeviceResponse>(reader, query, {
      columns: COLUMNS,
      from: 'devices d',
      conditions,
      ...orderBy(query.sort, SORTED_BY, ['d.hostname', 'd.id']),
      totalOf,
    });
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<DeviceResponse> {
    const { where, parameters } = readable(caller, id);
    const device = await reader.one<DeviceResponse>(`SELECT ${COLUMNS} FROM devices d ${where}`, parameters);
    if (!device) throw deviceNotFound();
    return device;
  }

  /** Requires that the caller can read the device. */
  async requireReadable(reader: Reader, caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = readable(caller, id);
    if (!(await reader.one(`SELECT d.id FROM devices d ${where}`, parameters))) throw deviceNotFound();
  }

  /** Locks and returns a device that the caller may change. */
  async lock(tx: Tx, caller: UserCaller, id: string): Promise<DeviceRow> {
    const { where, parameters } = devicesInReach(caller).add('d.id = ?', id);
    const found = await tx.one<{ orgId: string }>(`SELECT d.org_id FROM devices d ${where}`, parameters);
    if (!found) throw deviceNotFound();
    // The organisation is locked first, in the same order as when a merge moves its rows.
    await requireWritable(tx, caller, found.orgId);
    const device = await tx.one<DeviceRow>(`SELECT ${ROW} FROM devices d ${where} FOR UPDATE OF d`, parameters);
    if (!device) throw deviceNotFound();
    return device;
  }

  /** As {@link lock}, for changes that make no sense for a decommissioned device. */
  async lockInService(tx: Tx, caller: UserCaller, id: string): Promise<DeviceRow> {
    const device = await this.lock(tx, caller, id);
    if (device.status === 'decommissioned') throw new ProblemError('device_inactive', 'This device is decommissioned.');
    return device;
  }

  /** Locks those of the devices that are in the organisation and in the caller's reach. */
  async lockOfOrganization(tx: Tx, caller: UserCaller, orgId: string, ids: readonly string[]): Promise<Set<string>> {
    const { where, parameters } = devicesInReach(caller).add('d.org_id = ?', orgId).add('d.id = ANY (?::uuid[])', ids);
    const found = await tx.query<{ id: string }>(
      `SELECT d.id FROM devices d ${where} ORDER BY d.id FOR UPDATE`,
      parameters,
    );
    return new Set(found.map(({ id }) => id));
  }

  insert(tx: Tx, device: NewDevice): Promise<PublishedDevice> {
    const { id, partnerId, orgId, siteId, hostname, osType, osVersion, agentVersion, serialNumber } = device;
    const place = [id, partnerId, orgId, siteId];
    const machine = [hostname, osType, osVersion, agentVersion, serialNumber];
    const agent = [device.agentTokenHash, device.agentProtocol, device.returnsAs ?? null];
    return tx.one<PublishedDevice>(INSERT, [...place, ...machine, ...agent]).then(returned);
  }

  update(tx: Tx, caller: UserCaller, id: string, changes: Partial<DeviceEntity>): Promise<DeviceRow> {
    return this.change(tx, caller, id, (conditions) => assignments(changes, conditions));
  }

  decommission(tx: Tx, caller: UserCaller, id: string): Promise<DeviceRow> {
    return this.change(tx, caller, id, () => `status = 'decommissioned', decommissioned_at = now()`);
  }

  /** Moves a device within its partner. The caller must have locked the device and its new site. */
  move(tx: Tx, id: string, { orgId, siteId }: { orgId: string; siteId: string }): Promise<DeviceRow> {
    return tx.one<DeviceRow>(MOVE, [id, orgId, siteId]).then(returned);
  }

  touch(tx: Tx, ids: readonly string[]): Promise<PublishedDevice[]> {
    return tx.query<PublishedDevice>(TOUCH_DEVICES, [ids]);
  }

  private async change(
    tx: Tx,
    caller: UserCaller,
    id: string,
    set: (conditions: Conditions) => string,
  ): Promise<DeviceRow> {
    const conditions = devicesInReach(caller).add('d.id = ?', id);
    const assigned = set(conditions);
    const device = await tx.one<DeviceRow>(
      `UPDATE devices d SET ${assigned} ${conditions.where} RETURNING ${ROW}`,
      conditions.parameters,
    );
    return returned(device);
  }
}

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
