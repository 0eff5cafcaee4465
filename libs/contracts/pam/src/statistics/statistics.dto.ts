import { Choice, Flag, Instant, NestedList, Uuid, Whole } from '@gatehouse/contracts-core';

export const STATISTICS_BUCKETS = ['hour', 'day', 'week', 'month'] as const;
export type StatisticsBucket = (typeof STATISTICS_BUCKETS)[number];
export const MAX_STATISTICS_BUCKETS = 1000;

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** PAM-156. */
export class StatisticsQuery {
  @Uuid({ optional: true, description: 'Only requests of this organisation.' }) orgId?: string;
  @Uuid({ optional: true, description: 'Only requests of devices that are at this site now.' }) siteId?: string;
  @Instant({ optional: true, description: 'Default: 30 days before `to`.' }) from?: string;
  @Instant({ optional: true, description: 'Default: now.' }) to?: string;
  @Choice(STATISTICS_BUCKETS, { optional: true, description: 'Default: `day`. Weeks begin on Monday; all in UTC.' })
  bucket?: StatisticsBucket;
}

/** The requests that were made in one hour, day, week or month, by what became of them. */
export class StatisticsBucketRecord {
  @Instant({ description: 'The start of the bucket.' }) from!: string;
  @Whole({ ...COUNT, description: 'Granted by a rule or a software policy.' }) autoApproved!: number;
  @Whole({ ...COUNT, description: 'Granted by a person.' }) approved!: number;
  @Whole({ ...COUNT, description: 'Denied.' }) denied!: number;
  @Whole({ ...COUNT, description: 'Expired without a decision.' }) expired!: number;
  @Whole({ ...COUNT, description: 'Prompts ignored by a rule; they are not stored as requests.' }) ignored!: number;
  @Whole({ ...COUNT, description: 'Still pending.' }) pending!: number;
}

export class StatisticsResponse {
  @Flag() success!: true;
  @NestedList(() => StatisticsBucketRecord, {
    maxItems: MAX_STATISTICS_BUCKETS,
    description: 'All buckets, including empty ones.',
  })
  buckets!: StatisticsBucketRecord[];
  @Whole({
    ...COUNT,
    nullable: true,
    description: 'The median of the seconds that people took to decide; null without a decision.',
  })
  medianSecondsToDecision!: number | null;
  @Whole({
    ...COUNT,
    nullable: true,
    description: 'The 95th percentile of the seconds that people took to decide; null without a decision.',
  })
  p95SecondsToDecision!: number | null;
}
