import { DATABASES } from '@gatehouse/contracts-core';
import { type Command, type Door, servicesFor } from './command.ts';

interface Report {
  readonly primary: string;
  readonly columns: readonly string[];
  readonly counts: readonly {
    readonly column: string;
    readonly keyId: string;
    readonly count: number;
    readonly known: boolean;
  }[];
}

interface Slice {
  readonly resealed: number;
  readonly unreadable: number;
  readonly next: number | null;
}

/** A pass skips rows that are locked. More passes than this mean that a process still seals with an older key. */
const MAX_PASSES = 5;

const reportOf = (door: Door, service: string): Promise<Report> =>
  door.ask<Report>(service, 'GET', '/operator/sealed-secrets');
const staleIn = ({ counts, primary }: Report): Report['counts'] => counts.filter(({ keyId }) => keyId !== primary);

async function walk(door: Door, service: string, column: string): Promise<number> {
  let resealed = 0;
  for (let fromBlock: number | null = 0; fromBlock !== null;) {
    const slice: Slice = await door.ask<Slice>(service, 'POST', '/operator/sealed-secrets/reseal', {
      column,
      fromBlock,
    });
    resealed += slice.resealed;
    fromBlock = slice.next;
  }
  return resealed;
}

async function resealAll(door: Door, service: string): Promise<number> {
  let total = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const columns = new Set(staleIn(await reportOf(door, service)).map(({ column }) => column));
    let resealed = 0;
    for (const column of columns) resealed += await walk(door, service, column);
    total += resealed;
    if (resealed === 0) break;
  }
  return total;
}

/**
 * @returns whether all rows are sealed with the primary key
 */
async function tell(door: Door, service: string, say: (line: string) => void): Promise<boolean> {
  const report = await reportOf(door, service);
  const stale = staleIn(report);
  const current = report.counts
    .filter(({ keyId }) => keyId === report.primary)
    .reduce((sum, { count }) => sum + count, 0);
  say(`${service}: ${report.columns.length} columns, primary key ${report.primary}: ${current} values`);
  for (const { column, keyId, count, known } of stale)
    say(`  ${column}: ${count} under ${keyId}${known ? '' : ', a key that the service does not have'}`);
  return stale.length === 0;
}

export const reseal: Command = {
  name: 'reseal',
  does: 'seals every stored secret again under the first of SECRET_ENCRYPTION_KEYS, while the product runs. --check: only counts; exit code 0 when no older key is used any more, else 2',
  options: { check: { type: 'boolean' }, service: { type: 'string' } },
  run: async (door, { check, service }, say) => {
    let clean = true;
    for (const name of servicesFor(service, DATABASES)) {
      if (!check) say(`${name}: ${await resealAll(door, name)} sealed again`);
      clean = (await tell(door, name, say)) && clean;
    }
    say(clean ? 'no older key is used any more: it may be removed' : 'older keys are still used: keep them');
    return clean ? 0 : 2;
  },
};
