import {
  Choice,
  ChoiceList,
  type EventActor,
  Instant,
  ListInQuery,
  Nested,
  NestedList,
  PageQuery,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const MANY = 200;

export class PreviewMergeDto {
  @Uuid() survivorId!: string;
}

export class StartMergeDto {
  @Uuid() survivorId!: string;
  @Text({ max: 255, description: 'The name of the organisation that goes away' }) confirmName!: string;
  @Text({ max: 64, optional: true, description: 'From the preview: the merge is refused when anything changed since' })
  planToken?: string;
}

export class MergeTableRecord {
  @Text({ max: 50 }) service!: string;
  @Text({ max: 100 }) table!: string;
  @Text({ max: 20 }) policy!: string;
  @Whole(COUNT) move!: number;
  @Whole(COUNT) drop!: number;
}

export const MERGE_VERDICTS = ['ok', 'too_large', 'blocked'] as const;
export type MergeVerdict = (typeof MERGE_VERDICTS)[number];

export class MergePreviewResponse {
  @Text({ max: 64 }) planToken!: string;
  @NestedList(() => MergeTableRecord, { maxItems: MANY }) tables!: MergeTableRecord[];
  @Whole(COUNT) totalMovableRows!: number;
  @Choice(MERGE_VERDICTS) verdict!: MergeVerdict;
  @TextList({ max: 500, maxItems: MANY }) warnings!: string[];
  @TextList({ max: 500, maxItems: MANY }) blockers!: string[];
}

export class MergeJobResponse {
  @Uuid() jobId!: string;
}

export class MergeProgressRecord {
  @Whole(COUNT) done!: number;
  @Whole(COUNT) total!: number;
}

export const RUN_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

const ACTOR_TYPES: readonly EventActor['type'][] = ['user', 'api_key', 'agent', 'system'];

export class RunStarterRecord {
  @Choice(ACTOR_TYPES) type!: EventActor['type'];
  @Uuid({ nullable: true }) id!: string | null;
  @Text({ max: 320, nullable: true }) name!: string | null;
  @Text({ max: 255, optional: true, description: 'The name of the API key that started it' }) label?: string;
}

export class MergeRunResponse {
  @Uuid() jobId!: string;
  @Uuid({ description: 'The organisation that is merged into the survivor.' }) orgId!: string;
  @Text({ max: 255 }) orgName!: string;
  @Uuid({ description: 'The organisation that receives the records.' }) survivorId!: string;
  @Text({ max: 255 }) survivorName!: string;
  @Nested(() => RunStarterRecord) startedBy!: RunStarterRecord;
  @Instant() startedAt!: Date;
  @Instant({ nullable: true }) finishedAt!: Date | null;
  @Choice(RUN_STATES) state!: RunState;
  @Nested(() => MergeProgressRecord) progress!: MergeProgressRecord;
  @NestedList(() => MergeTableRecord, { maxItems: MANY }) tables!: MergeTableRecord[];
  @TextList({ max: 500, maxItems: MANY }) warnings!: string[];
  @Text({ max: 1000, optional: true }) error?: string;
}

export class MergeRunQuery extends PageQuery {
  @ListInQuery()
  @ChoiceList(RUN_STATES, {
    optional: true,
    maxItems: RUN_STATES.length,
    description: 'Only runs in one of these states.',
  })
  state?: RunState[];
}
