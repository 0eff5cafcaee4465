import type { Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of prompts that rules ignored at a site within an hour; of earlier times, within a day. */
@Entity('ignored_counts')
export class IgnoredCountEntity {
  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' }) id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') siteId!: string;
  @Column('timestamptz') at!: Date;
  @Column('bigint') count!: number;
}

/** Buckets of hours reach back no further. */
const HOURS_KEPT = `interval '45 days'`;

const add = (source: string): string => `
  INSERT INTO ignored_counts AS c (partner_id, org_id, site_id, at, count) ${source}
  ON CONFLICT (org_id, site_id, at) DO UPDATE SET count = c.count + EXCLUDED.count`;
const SUM_UP = `
  WITH taken AS (DELETE FROM ignored_count_deltas RETURNING *)
  ${add('SELECT partner_id, org_id, site_id, at, sum(count) FROM taken GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4')}`;
const SUM_UP_DAYS = `
  WITH hours AS (DELETE FROM ignored_counts WHERE at < now() - ${HOURS_KEPT} AND at <> date_trunc('day', at, 'UTC')
    RETURNING *)
  ${add(`SELECT partner_id, org_id, site_id, date_trunc('day', at, 'UTC'), sum(count) FROM hours GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4`)}`;
const FORGET = 'DELETE FROM ignored_counts WHERE at < now() - make_interval(months => $1)';

/** Counts of ignored prompts. Replicas may maintain them concurrently. */
export class IgnoredCountsRepository {
  /** Adds the differences that batches of reports inserted. */
  async sumUp(tx: Tx): Promise<void> {
    await tx.query(SUM_UP);
  }

  /** Forgets what is older than the history, and the hours of what is older than a statistic by hours. */
  async forget(tx: Tx, monthsKept: number): Promise<void> {
    await tx.query(FORGET, [monthsKept]);
    await tx.query(SUM_UP_DAYS);
  }
}
