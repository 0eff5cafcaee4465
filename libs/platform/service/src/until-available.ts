import { isUnavailable } from '@gatehouse/database';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from './observability/logging.ts';

const TRIES = 60;
const PAUSE_MS = 1_000;

/**
 * Takes a step of the start, and repeats it for a minute while the database cannot serve it: the server restarts, or
 * another replica that starts holds a lock. A start that failed at once would only be repeated from its beginning.
 * @param isPassing whether the error may pass by itself
 * @throws the step's last error
 */
export async function untilAvailable<T>(
  log: Logger,
  step: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === TRIES || !isPassing(error)) throw error;
      if (attempt === 1) log.warn({ err: error }, 'the database cannot serve the start yet; trying again');
      await wait(PAUSE_MS);
    }
  }
}
