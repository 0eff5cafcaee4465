import type { UserCaller } from '../caller.ts';
import { Choice, Nested, Uuid, Whole } from '../fields/fields.ts';
import { Text } from '../fields/text-fields.ts';
import { ProblemError } from '../problem-error.ts';

/** The `ETag` of a record: its version in quotes. */
export const entityTagOf = (version: number): string => `"${version}"`;

/** Refuses a change that was made from another version of the record (RFC 9110 13.1.1). */
export function requireVersion({ ifMatch }: Pick<UserCaller, 'ifMatch'>, version: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(entityTagOf(version))) return;
  throw new ProblemError('version_conflict', 'This has changed since you read it: read it again.', {
    currentVersion: version,
  });
}

export const JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class JobProgressRecord {
  @Whole({ ...COUNT, description: 'How many entries are done.' }) done!: number;
  @Whole({ ...COUNT, description: 'How many entries there are.' }) total!: number;
}

/** How far long work is. */
export class JobRecord {
  @Uuid({ description: 'The id of the task.' }) jobId!: string;
  @Choice(JOB_STATES, { description: 'The progress of the task.' }) state!: JobState;
  @Nested(() => JobProgressRecord, { description: 'The completed part.' }) progress!: JobProgressRecord;
  @Text({ max: 500, optional: true, description: 'Why it failed.' }) error?: string;
}
