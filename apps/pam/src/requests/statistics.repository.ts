import type { TenantScope } from '@gatehouse/contracts-core';
import type { StatisticsBucket, StatisticsBucketRecord } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { HiddenOrganizationsRepository, outside } from '../tenants/hidden-organizations.repository.ts';
import { AT_SITES, OUTCOME, TENANT } from './request-sql.repository.ts';

export interface Period {
  readonly from: Date;
  readonly to: Date;
  readonly bucket: StatisticsBucket;
}

export interface Restriction {
  readonly orgId?: string;
  readonly siteId?: string;
}

type Counted = Exclude<keyof StatisticsBucketRecord, 'from'>;

export interface Count {
  readonly at: Date;
  readonly outcome: Counted;
  readonly count: number;
}

export interface DecisionTimes {
  readonly median: number | null;
  readonly p95: number | null;
}

interface Row extends DecisionTimes {
  /** Null in the row about the whole period. */
  readonly at: Date | null;
  readonly outcome: Counted | 'auto_approved';
  readonly count: number;
}

const SECONDS = 'extract(epoch FROM r.decided_at - r.requested_at)';
const BY_PERSON = `FILTER (WHERE r.decision_source = 'human' AND r.decided_at IS NOT NULL)`;
const percentile = (part: number): string => `percentile_cont(${part}) WITHIN GROUP (ORDER BY ${SECONDS}) ${BY_PERSON}`;

const IGNORED =
  '(SELECT * FROM (SELECT partner_id, org_id, site_id, at, count FROM ignored_counts UNION ALL SELECT * FROM ignored_count_deltas) AS both_counts)';

/** No request is older than Unix time; an id holds no earlier one. */
const idAt = (at: string): string => `uuid_from_instant(greatest(${at}::timestamptz, 'epoch'))`;

/** Counts of what became of requests, within the caller's reach. */
@Injectable()
export class StatisticsRepository {
  constructor(private readonly hidden: HiddenOrganizationsRepository) {}

  /** Counts requests by the time in their ids, so that months outside the period are not read. */
  async requests(
    reader: Reader,
    scope: TenantScope,
    { from, to, bucket }: Period,
    only: Restriction,
  ): Promise<{ counts: Count[]; times: DecisionTimes }> {
    const where = await this.within(reader, scope, { columns: TENANT, parameters: [bucket, from, to] }, only);
    if (scope.sites !== 'all') where.add(AT_SITES, [...scope.sites]);
    where.add(AT_SITES, only.siteId && [only.siteId]);
    const rows = await reader.queryAfresh<Row>(
      `SELECT date_trunc($1, r.requested_at, 'UTC') AS at, ${OUTCOME} AS outcome, count(*) AS count,
        ${percentile(0.5)}::float8 AS median, ${percentile(0.95)}::float8 AS p95
         FROM elevation_requests r WHERE r.id >= ${idAt('$2')} AND r.id < ${idAt('$3')} ${where.and}
        GROUP BY GROUPING SETS ((1, 2), ())`,
      where.parameters,
    );
    const { median = null, p95 = null } = rows.find(({ at }) => at === null) ?? {};
    const counts = rows.flatMap(({ at, outcome, count }): Count[] =>
      at === null ? [] : [{ at, outcome: outcome === 'auto_approved' ? 'autoApproved' : outcome, count }],
    );
    return { counts, times: { median, p95 } };
  }

  /** Counts prompts that rules ignored, in whole hours. */
  async ignored(reader: Reader, scope: TenantScope, { from, to, bucket }: Period, only: Restriction): Promise<Count[]> {
    const columns = { partner: 'i.partner_id', org: 'i.org_id', site: 'i.site_id' };
    const where = await this.within(reader, scope, { columns, parameters: [bucket, from, to] }, only);
    where.add('i.site_id = ?', only.siteId);
    return reader.queryAfresh<Count>(
      `SELECT date_trunc($1, i.at, 'UTC') AS at, 'ignored' AS outcome, sum(i.count)::bigint AS count
        FROM ${IGNORED} AS i
        WHERE i.at >= date_trunc('hour', $2::timestamptz, 'UTC') AND i.at < $3 ${where.and} GROUP BY 1`,
      where.parameters,
    );
  }

  private async within(
    reader: Reader,
    scope: TenantScope,
    { columns, parameters }: { columns: { partner: string; org: string }; parameters: (string | Date)[] },
    { orgId }: Restriction,
  ): Promise<Conditions> {
    const where = scoped(scope, columns, parameters).add(`${columns.org} = ?`, orgId);
    return orgId === undefined ? outside(where, columns.org, await this.hidden.ids(reader, scope)) : where;
  }
}
