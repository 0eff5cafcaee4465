import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** Shorter than any proxy's patience; what is answered sooner is an ordinary answer, errors included. */
const QUIET_MS = 5_000;

/**
 * An answer that may take minutes. Once it does, its status is sent and white space, which JSON allows before a value
 * (RFC 8259 2), follows every few seconds, so that nobody on the way takes the silence for a failure. A failure after
 * that cuts the answer off.
 * @param work is told by its signal when the client has left
 */
export async function patientJson<T extends object>(
  work: (signal: AbortSignal) => Promise<T>,
  quietMs = QUIET_MS,
): Promise<T | StreamableFile> {
  const client = new AbortController();
  const answer = work(client.signal);
  const early = await within(quietMs, answer);
  if (early) return early;
  answer.catch(() => undefined);
  // A stream that nobody ever reads, because its reader left before, closes without having begun.
  const stream = Readable.from(spacesUntil(answer, quietMs)).once('close', () => client.abort());
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' });
}

/** @returns null when the time is over first */
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
