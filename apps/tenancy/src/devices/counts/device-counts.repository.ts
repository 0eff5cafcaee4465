import type { UserCaller } from '@gatehouse/contracts-core';
import type { DeviceQuery, DeviceStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { listedBelow, OF_LIVING_ORGANIZATION } from '../../scope/organizations-in-reach.repository.ts';

/**
 * The number of devices of each site and status. Triggers insert the differences that a statement makes into
 * `device_count_deltas`, a table of the same columns without a key.
 */
@Entity('device_counts')
export class DeviceCountEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('uuid') siteId!: string;
  @PrimaryColumn('text') status!: DeviceStatus;
  @Column('bigint') count!: number;
}

const SUM_UP = `
  WITH taken AS (DELETE FROM device_count_deltas RETURNING *),
       summed AS (SELECT partner_id, org_id, site_id, status, sum(count) AS count FROM taken GROUP BY 1, 2, 3, 4)
  INSERT INTO device_counts AS c (partner_id, org_id, site_id, status, count)
  SELECT partner_id, org_id, site_id, status, count FROM summed WHERE count <> 0 ORDER BY 1, 2, 3, 4
  ON CONFLICT (partner_id, org_id, site_id, status) DO UPDATE SET count = c.count + EXCLUDED.count`;
const DELETE_EMPTY = 'DELETE FROM device_counts WHERE count = 0';
const TOTAL = `SELECT coalesce(sum(count), 0)::bigint AS total
    FROM (SELECT * FROM device_counts UNION ALL SELECT * FROM device_count_deltas) AS counts`;

const CAPS = `SELECT o.max_devices AS of_organization, p.max_devices AS of_partner FROM organizations o
  JOIN partners p ON p.id = o.partner_id WHERE o.id = $1`;
const LOCK_COUNTERS = 'SELECT partner_id FROM partner_counters WHERE partner_id = $1 FOR UPDATE';
// The devices of organisations that are being merged into this one count here already (TEN-10).
const COUNT_OF_ORGANIZATION = `
  SELECT count(*) AS count FROM devices
   WHERE status <> 'decommissioned' AND org_id = ANY ($1::uuid || ARRAY(SELECT r.org_id FROM organization_runs r
     WHERE r.survivor_id = $1 AND r.state IN ('queued', 'running') AND r.step <> 'rollback'))`;
const COUNT_OF_PARTNER = `
  SELECT count(*) AS count FROM devices
   WHERE partner_id = $1 AND status <> 'decommissioned' AND ${OF_LIVING_ORGANIZATION('devices.org_id')}`;

/** Null: unlimited. */
interface DeviceCaps {
  readonly ofOrganization: number | null;
  readonly ofPartner: number | null;
}

/** Exact numbers of devices. */
@Injectable()
export class DeviceCountsRepository {
  /** The number of devices in a list; undefined if the list filters by a column that is not counted. */
  totalOf(
    caller: UserCaller,
    { orgId, siteId, status, groupId, search, lastSeenBefore }: DeviceQuery,
  ): ((reader: Reader) => Promise<number>) | undefined {
    if (groupId !== undefined || search || lastSeenBefore) return undefined;
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'site_id' })
      .add('org_id = ?', orgId)
      .add('site_id = ?', siteId)
      .add('status = ?', status)
      .raw(listedBelow(caller, 'org_id'));
    return async (reader) =>
      (await reader.queryAfresh<{ total: number }>(`${TOTAL} ${where}`, parameters))[0]?.total ?? 0;
  }

  /** Adds the recorded differences to the counts. */
  async sumUp(tx: Tx): Promise<void> {
    await tx.query(SUM_UP);
    await tx.query(DELETE_EMPTY);
  }

  caps(tx: Tx, orgId: string): Promise<DeviceCaps | null> {
    return tx.one<DeviceCaps>(CAPS, [orgId]);
  }

  /** Locks a partner's counters, so that requests that count against its caps run one after another. */
  async lockCounters(tx: Tx, partnerId: string): Promise<void> {
    await tx.query(LOCK_COUNTERS, [partnerId]);
  }

  inServiceOfOrganization(reader: Reader, orgId: string): Promise<number> {
    return count(reader, COUNT_OF_ORGANIZATION, orgId);
  }

  inServiceOfPartner(tx: Tx, partnerId: string): Promise<number> {
    return count(tx, COUNT_OF_PARTNER, partnerId);
  }
}

const count = async (reader: Reader, sql: string, id: string): Promise<number> =>
  (await reader.one<{ count: number }>(sql, [id]))?.count ?? 0;
