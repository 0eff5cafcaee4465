import type { Preview } from '@gatehouse/pam-domain';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { HistoryEntry, HistoryWindow } from './history.repository.ts';

/** Divides long work into short turns, so that other requests of the process go on in between. */
export class Turns {
  private endsAt: number;

  /** @param restMs how long the work rests between two turns; 0 lets waiting requests go first and no more */
  constructor(
    private readonly turnMs: number,
    private readonly restMs: number,
  ) {
    this.endsAt = performance.now() + turnMs;
  }

  /** Call it after each piece of work. */
  async next(): Promise<void> {
    if (performance.now() < this.endsAt) return;
    await (this.restMs === 0 ? nextTurn() : pause(this.restMs));
    this.endsAt = performance.now() + this.turnMs;
  }
}

/** The most requests that a preview reads (decisions, "preview"). */
const MAX_SCANNED = 50_000;
/** A row may have 32 KB, so pages are kept small. */
const PAGE = 200;
/** Matching yields to other requests on the event loop after this many milliseconds. */
const TURN_MS = 5;

export type HistoryPage = Pick<HistoryWindow, 'before' | 'limit'>;

/**
 * Shows past requests to previews of rules, the newest first.
 * @returns whether requests remain beyond the limits of a preview
 */
export async function scanHistory(
  pages: (page: HistoryPage) => Promise<HistoryEntry[]>,
  previews: readonly Preview<HistoryEntry>[],
): Promise<boolean> {
  const turns = new Turns(TURN_MS, 0);
  let before: string | undefined;
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += PAGE) {
    const page = await pages({ before, limit: PAGE });
    for (const entry of page) {
      for (const preview of previews) preview.scan(entry);
      await turns.next();
    }
    if (previews.some(({ isExhausted }) => isExhausted)) return true;
    if (page.length < PAGE) return false;
    before = page.at(-1)?.id;
  }
  return (await pages({ before, limit: 1 })).length > 0;
}
