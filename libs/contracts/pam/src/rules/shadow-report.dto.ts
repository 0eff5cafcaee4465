import { Flag, Instant, Nested, NestedList, Uuid, Whole } from '@gatehouse/contracts-core';
import { Transform } from 'class-transformer';
import { ReplayChangeRecord, TransitionRecord } from './replay.records.ts';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const asNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** PAM-247. */
export class ShadowReportQuery {
  @Transform(asNumber)
  @Whole({ min: 1, max: 90, optional: true, description: 'Days to look back.' })
  days: number = 14;
  @Uuid({ optional: true }) orgId?: string;
}

export class ShadowReportRecord {
  @Instant({ description: 'The start of the counted period.' }) since!: string;
  @Whole({ ...COUNT, description: 'Requests that the rule would have decided.' }) hits!: number;
  @Whole({ ...COUNT, description: 'Ignored prompts, in addition.' }) hitsIgnored!: number;
  @Whole({ ...COUNT, description: 'Requests that it would have decided differently.' }) wouldChange!: number;
  @NestedList(() => TransitionRecord, {
    maxItems: 16,
    description: 'What was decided, and what it would have decided.',
  })
  outcomes!: TransitionRecord[];
  @Whole({ ...COUNT, description: 'Devices with a hit.' }) devices!: number;
  @NestedList(() => ReplayChangeRecord, {
    maxItems: 10,
    description: 'The newest requests that it would have decided differently.',
  })
  sample!: ReplayChangeRecord[];
}

export class ShadowReportResponse {
  @Flag() success!: true;
  @Nested(() => ShadowReportRecord, { description: 'What the rule would have done.' }) report!: ShadowReportRecord;
}
