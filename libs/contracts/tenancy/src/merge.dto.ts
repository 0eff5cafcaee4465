import { Choice, Nested, NestedList, Text, TextList, Uuid, Whole } from '@gatehouse/contracts-core';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };
const MANY = 200;

export class PreviewMergeDto {
  @Uuid() survivorId!: string;
}

export class StartMergeDto {
  @Uuid() survivorId!: string;
  @Text({ max: 255, description: 'The name of the organization that goes away' }) confirmName!: string;
  @Text({ max: 64, optional: true, description: 'From the preview: the merge is refused when anything changed since' })
  planToken?: string;
}

export class MergeTableDto {
  @Text({ max: 50 }) service!: string;
  @Text({ max: 100 }) table!: string;
  @Text({ max: 20 }) policy!: string;
  @Whole(COUNT) move!: number;
  @Whole(COUNT) drop!: number;
}

export const MERGE_VERDICTS = ['ok', 'too_large', 'blocked'] as const;
export type MergeVerdict = (typeof MERGE_VERDICTS)[number];

export class MergePreviewDto {
  @Text({ max: 64 }) planToken!: string;
  @NestedList(() => MergeTableDto, { maxItems: MANY }) tables!: MergeTableDto[];
  @Whole(COUNT) totalMovableRows!: number;
  @Choice(MERGE_VERDICTS) verdict!: MergeVerdict;
  @TextList({ max: 500, maxItems: MANY }) warnings!: string[];
  @TextList({ max: 500, maxItems: MANY }) blockers!: string[];
}

export class MergeJobDto {
  @Uuid() jobId!: string;
}

export class MergeProgressDto {
  @Whole(COUNT) done!: number;
  @Whole(COUNT) total!: number;
}

export const RUN_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export class MergeRunDto {
  @Uuid() jobId!: string;
  @Choice(RUN_STATES) state!: RunState;
  @Nested(() => MergeProgressDto) progress!: MergeProgressDto;
  @NestedList(() => MergeTableDto, { maxItems: MANY }) tables!: MergeTableDto[];
  @TextList({ max: 500, maxItems: MANY }) warnings!: string[];
  @Text({ max: 1000, optional: true }) error?: string;
}
