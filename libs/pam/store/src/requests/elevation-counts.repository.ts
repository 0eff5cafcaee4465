import type { TenantScope } from '@gatehouse/contracts-core';
import type { ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of requests of an organisation by flow and status. */
@Entity('elevation_counts')
export class ElevationCountEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('text') flowType!: FlowType;
  @PrimaryColumn('text') status!: ElevationStatus;
  @Column('bigint') count!: number;
}

export interface CountFilter {
  readonly statuses?: readonly ElevationStatus[];
  readonly flowType?: FlowType;
  readonly orgId?: string;
  /** Organisations to exclude. */
  readonly without?: readonly string[];
}

const SUM_UP = `
  WITH taken AS (DELETE FROM elevation_count_deltas RETURNING *),
       summed AS (SELECT partner_id, org_id, flow_type, status, sum(count) AS count FROM taken GROUP BY 1, 2, 3, 4)
  INSERT INTO elevation_counts AS c (partner_id, org_id, flow_type, status, count)
  SELECT partner_id, org_id, flow_type, status, count FROM summed ORDER BY 1, 2, 3, 4
  ON CONFLICT (partner_id, org_id, flow_type, status) DO UPDATE SET count = c.count + EXCLUDED.count`;

/** Exact counts of requests, at a cost independent of their number. */
export class ElevationCountsRepository {
  /** Null for a site-confined scope: requests are not counted by site, because devices move. */
  async total(
    reader: Reader,
    scope: TenantScope,
    { statuses, flowType, orgId, without = [] }: CountFilter = {},
  ): Promise<number | null> {
    if (scope.sites !== 'all') return null;
    const where = scoped(scope, { partner: 'partner_id', org: 'org_id' })
      .add('status = ANY (?::text[])', statuses)
      .add('flow_type = ?', flowType)
      .add('org_id = ?', orgId)
      .add('org_id <> ALL (?::uuid[])', without.length > 0 ? without : undefined);
    const row = await reader.one<{ total: number }>(
      `SELECT coalesce(sum(count), 0)::bigint AS total
        FROM (SELECT * FROM elevation_counts UNION ALL SELECT *
        FROM elevation_count_deltas) AS all_counts ${where.where}`,
      where.parameters,
    );
    return row?.total ?? 0;
  }

  /** Adds the accumulated differences to the counts. Replicas may run it concurrently. */
  async sumUp(tx: Tx): Promise<void> {
    await tx.query(SUM_UP);
  }
}
