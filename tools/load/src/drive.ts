import { fine, median, whole } from './command-line.ts';

import { performance } from 'node:perf_hooks';

export interface Drive {
  readonly seconds: number;
  readonly clients: number;
  /** One journey of a client, which starts its next one at once; a rejection counts as a failure. */
  readonly once: (client: number) => Promise<unknown>;
}

/** Latencies in milliseconds. */
export interface Driven {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly answered: number;
  readonly failures: number;
  /** Why the first failure failed. */
  readonly complaint: string | null;
}

/** A client that fails waits before it tries again. */
const AFTER_FAILURE_MS = 20;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Runs journeys of several requests by a number of clients, each of which waits for its answers. */
export async function drive({ seconds, clients, once }: Drive): Promise<Driven> {
  const latencies: number[] = [];
  const complaints: string[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  const client = async (at: number): Promise<void> => {
    for (let from = performance.now(); from < until; from = performance.now()) {
      try {
        await once(at);
        latencies.push(performance.now() - from);
      } catch (error) {
        complaints.push(String(error));
        await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  const elapsed = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const [p50, p95, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.95), quantile(latencies, 0.99)];
  return {
    perSecond: latencies.length / elapsed,
    p50,
    p95,
    p99,
    answered: latencies.length,
    failures: complaints.length,
    complaint: complaints[0] ?? null,
  };
}

export const medianP99 = (rounds: readonly Driven[]): number => median(rounds.map(({ p99 }) => p99));

/** A row of a table: the name, p50, p99 and rate (medians of the rounds), and all failures. */
export const roundsLine = (name: string, rounds: readonly Driven[]): string[] => [
  name,
  fine(median(rounds.map(({ p50 }) => p50))),
  fine(medianP99(rounds)),
  whole(median(rounds.map(({ perSecond }) => perSecond))),
  String(rounds.reduce((sum, { failures }) => sum + failures, 0)),
];
