import { Choice, Nested, Uuid, Whole } from '../fields/fields.ts';
import { Text } from '../fields/text-fields.ts';

export const JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class JobProgressRecord {
  @Whole({ ...COUNT, description: 'How many entries are done.' }) done!: number;
  @Whole({ ...COUNT, description: 'How many entries there are.' }) total!: number;
}

/** How far long work is. */
export class JobRecord {
  @Uuid({ description: 'The id of the work.' }) jobId!: string;
  @Choice(JOB_STATES, { description: 'How far the work is.' }) state!: JobState;
  @Nested(() => JobProgressRecord, { description: 'How much of it is done.' }) progress!: JobProgressRecord;
  @Text({ max: 500, optional: true, description: 'Why it failed.' }) error?: string;
}
