import type { DataOf } from '@gatehouse/client';

export type Entry = Pick<DataOf<'/audit-logs', 'get'>['data'][number], 'actor' | 'details' | 'timestamp'>;

/** A record that counts its changes. */
export interface Versioned {
  readonly id?: string;
  readonly orgId?: string | null;
  readonly version: number;
  readonly updatedAt?: string;
}

interface LastSave {
  /** Null where the log does not tell, or no person acted. */
  readonly name: string | null;
  readonly at: string;
}

/** The clocks of two servers differ by less. */
const CLOCKS_MS = 1000;

/** The log learns of a save seconds later: until then its newest entry is about an earlier version. */
function isAbout({ version, updatedAt }: Versioned, { details, timestamp }: Entry): boolean {
  if (details['version'] !== undefined) return details['version'] === version;
  return updatedAt !== undefined && Date.parse(timestamp) >= Date.parse(updatedAt) - CLOCKS_MS;
}

/** @param newest the newest entry about a save of the record */
export function lastSaveOf(stored: Versioned, newest: Entry | undefined): LastSave | null {
  if (newest && isAbout(stored, newest)) {
    const { actor, timestamp } = newest;
    return { name: actor.type === 'system' ? null : actor.name, at: timestamp };
  }
  return stored.updatedAt === undefined ? null : { name: null, at: stored.updatedAt };
}
