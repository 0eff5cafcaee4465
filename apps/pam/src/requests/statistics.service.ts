import {
  MAX_STATISTICS_BUCKETS,
  type StatisticsBucket,
  type StatisticsBucketRecord,
  type StatisticsQuery,
  type StatisticsResponse,
} from '@gatehouse/contracts-pam';
import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { requireSite } from '../tenants/require-place.ts';
import { PolicyTargetsRepository } from '../tenants/policy-targets.repository.ts';
import { type Count, type Period, type Restriction, StatisticsRepository } from './statistics.repository.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** The first Monday since the beginning of Unix time. */
const FIRST_MONDAY = 4 * DAY_MS;

const floorTo = (at: number, step: number, origin = 0): number => Math.floor((at - origin) / step) * step + origin;

/** The beginning of the bucket that an instant is in, in UTC. */
function bucketOf(at: Date, bucket: StatisticsBucket): Date {
  if (bucket === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
  return new Date(floorTo(at.getTime(), STEP_MS[bucket], bucket === 'week' ? FIRST_MONDAY : 0));
}

const after = (at: Date, bucket: StatisticsBucket): Date =>
  bucket === 'month'
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
    : new Date(at.getTime() + STEP_MS[bucket]);

/** The beginnings of the buckets of a period, at most one more than `most`. */
export function bucketsOf(from: Date, to: Date, bucket: StatisticsBucket, most: number): Date[] {
  const buckets: Date[] = [];
  for (let at = bucketOf(from, bucket); at < to && buckets.length <= most; at = after(at, bucket)) buckets.push(at);
  return buckets;
}

const DEFAULT_MS = 30 * 86_400_000;

function periodOf({ from, to, bucket = 'day' }: StatisticsQuery): Period {
  const end = to === undefined ? new Date() : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - DEFAULT_MS) : new Date(from);
  if (start >= end) throw invalid('from', 'must be before to');
  return { from: start, to: end, bucket };
}

function filled(beginnings: readonly Date[], counts: readonly Count[]): StatisticsBucketRecord[] {
  const none = { autoApproved: 0, approved: 0, denied: 0, expired: 0, ignored: 0, pending: 0 };
  const buckets = new Map(beginnings.map((at) => [at.getTime(), { from: at.toISOString(), ...none }]));
  for (const { at, outcome, count } of counts) {
    const bucket = buckets.get(at.getTime());
    if (bucket) bucket[outcome] += count;
  }
  return [...buckets.values()];
}

@Injectable()
export class StatisticsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly policyTargets: PolicyTargetsRepository,
    private readonly statistics: StatisticsRepository,
  ) {}

  /** Counts what became of the requests of a period (PAM-156). */
  get(caller: UserCaller, query: StatisticsQuery): Promise<StatisticsResponse> {
    const period = periodOf(query);
    const beginnings = bucketsOf(period.from, period.to, period.bucket, MAX_STATISTICS_BUCKETS);
    if (beginnings.length > MAX_STATISTICS_BUCKETS)
      throw invalid('bucket', `must divide the period into at most ${MAX_STATISTICS_BUCKETS} parts`);
    return this.work.read(caller, async (reader) => {
      await this.requireReach(reader, caller, query);
      const { counts, times } = await this.statistics.requests(reader, caller.scope, period, query);
      const ignored = await this.statistics.ignored(reader, caller.scope, period, query);
      return {
        success: true,
        buckets: filled(beginnings, [...counts, ...ignored]),
        medianSecondsToDecision: times.median === null ? null : Math.round(times.median),
        p95SecondsToDecision: times.p95 === null ? null : Math.round(times.p95),
      };
    });
  }

  private async requireReach(reader: Reader, caller: UserCaller, { orgId, siteId }: Restriction): Promise<void> {
    if (orgId !== undefined) await this.organizations.resolve(reader, caller, orgId);
    if (siteId === undefined) return;
    const site = await this.policyTargets.find(reader, caller.scope, { level: 'site', id: siteId });
    if (!site) throw new ProblemError('site_not_found', 'There is no such site.');
    requireSite(caller, siteId);
  }
}
