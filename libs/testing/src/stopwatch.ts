import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The kernel's record of how long programs have waited for a processor or a disk; macOS keeps none. */
const RECORDS = ['/proc/pressure/cpu', '/proc/pressure/io'];
const TOTAL_MICROSECONDS = /^some .*\btotal=(\d+)$/m;

function waitedMs(): number {
  let microseconds = 0;
  for (const path of RECORDS) {
    try {
      microseconds += Number(TOTAL_MICROSECONDS.exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  }
  return microseconds / 1000;
}

/**
 * Measures milliseconds, without those in which a program of this machine waited for a processor or a disk: a bound on
 * them holds beside other workers too, and whatever hangs still exceeds it.
 */
export function stopwatch(): () => number {
  const [began, waitedBefore] = [performance.now(), waitedMs()];
  return () => Math.max(0, performance.now() - began - (waitedMs() - waitedBefore));
}

/**
 * Waits until the check holds, for so many seconds by a {@link stopwatch}.
 * @throws Error when it does not
 */
export async function until(check: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  for (const spent = stopwatch(); spent() < seconds * 1000; await wait(20)) if (await check()) return;
  throw new Error(`not so after ${seconds} s: ${check.toString()}`);
}
