import type { UserCaller } from '../caller.ts';
import { ProblemError } from '../problem-error.ts';

/** The `ETag` of a record: its version in quotes. */
export const entityTagOf = (version: number): string => `"${version}"`;

/** Refuses a change that was made from another version of the record (RFC 9110 13.1.1). */
export function requireVersion({ ifMatch }: Pick<UserCaller, 'ifMatch'>, version: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(entityTagOf(version))) return;
  throw new ProblemError('version_conflict', 'This was changed since you read it: read it again.', {
    currentVersion: version,
  });
}
