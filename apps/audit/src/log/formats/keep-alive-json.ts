import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** Shorter than the idle timeout of any proxy. An answer that is ready sooner is sent as usual, errors included. */
const QUIET_MS = 5_000;

/**
 * Sends an answer that may take minutes. After the quiet period the status goes out, followed by white space every
 * few seconds (JSON allows it before a value, RFC 8259 2), so that no proxy times out. A later failure aborts the
 * response.
 * @param work receives a signal that aborts when the client disconnects
 */
export async function keepAliveJson<T extends object>(
  work: (signal: AbortSignal) => Promise<T>,
  quietMs = QUIET_MS,
): Promise<T | StreamableFile> {
  const client = new AbortController();
  const answer = work(client.signal);
  const early = await within(quietMs, answer);
  if (early) return early;
  answer.catch(() => undefined);
  // A stream whose client left before the first read closes without having started.
  const stream = Readable.from(spacesUntil(answer, quietMs)).once('close', () => client.abort());
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' });
}

/** @returns null if the time runs out first */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const time = wait(ms, null, { signal: over.signal }).catch(() => null);
  try {
    return await Promise.race([answer, time]);
  } finally {
    over.abort();
  }
}

async function* spacesUntil<T extends object>(answer: Promise<T>, quietMs: number): AsyncGenerator<string> {
  for (let done: T | null = null; done === null;) {
    done = await within(quietMs, answer);
    yield done === null ? ' ' : JSON.stringify(done);
  }
}
