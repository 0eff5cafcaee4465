import { poolOf } from '@gatehouse/database';
import type { ConsumerRunner } from '@gatehouse/messaging';
import type { Metrics, Reading } from '@gatehouse/telemetry';
import type { FastifyInstance } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseState } from './database-state.repository.ts';
import type { Platform, Store } from './platform.ts';

const ANSWERS = ['2xx', '3xx', '4xx', '5xx'];

/** Counts and times every request, labelled with the template of its route. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const answers = metrics.counter('gatehouse_http_answers_total', 'Answers by class of status', { class: ANSWERS });
  server.addHook('onResponse', (request, reply, done) => {
    answers.inc({ class: `${Math.floor(reply.statusCode / 100)}xx` });
    metrics.requests.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

export const PARTS = ['database', 'broker', 'cache'] as const;
export type Part = (typeof PARTS)[number];
type Look = () => Promise<boolean>;

/** A database that is silent for longer is lost. Shorter than the probes of a pod wait. */
const SILENT_MS = 500;
const silence = (): Promise<false> => wait(SILENT_MS, false, { ref: false });

/** How to find out whether a part can be reached; the database is asked once at a time, because it may be silent. */
function looksOf({ store, bus, redis }: Platform): [Part, Look][] {
  const looks: [Part, Look][] = [
    ['broker', async () => bus.isConnected],
    ['cache', async () => redis.status === 'ready'],
  ];
  if (!store) return looks;
  let asked: Promise<boolean> | null = null;
  const ask = (): Promise<boolean> => (asked ??= databaseState.answers(store.background).finally(() => (asked = null)));
  return [...looks, ['database', () => Promise.race([ask(), silence()])]];
}

/** Reads which parts of the service can be reached at the moment; null stands for a part that it does not have. */
export function partsReader(platform: Platform): () => Promise<Record<Part, boolean | null>> {
  const looks = looksOf(platform);
  return async () => {
    const found = looks.map(async ([part, look]) => [part, await look()] as const);
    return { database: null, broker: null, cache: null, ...Object.fromEntries(await Promise.all(found)) };
  };
}

/** Registers the metrics of the database, broker and cache that every service has. */
export function measurePlatform(platform: Platform): void {
  const { metrics, store } = platform;
  // The pools come first, so that the scrape does not count the connections that it uses itself.
  if (store) measurePools(metrics, store);
  const up = metrics.gauge('gatehouse_part_up', 'Whether a part that the service needs can be reached: 1 or 0', [
    'part',
  ]);
  for (const [part, look] of looksOf(platform)) {
    const reading = (isUp: boolean): Reading => ({ of: up, value: Number(isUp), labels: { part } });
    metrics.atScrape([up], async () => [reading(await look())], [reading(false)]);
  }
  if (!store) return;
  measureClock(metrics, store);
  measureOutbox(metrics, store);
  measureDeadLetters(metrics, store);
}

/** Measures the clock skew: the database's clock decides expiry, the service's clock dates tokens and events. */
function measureClock(metrics: Metrics, { background }: Store): void {
  const skew = metrics.gauge('gatehouse_clock_skew_seconds', 'How far the clock here is ahead of that of the database');
  metrics.atScrape([skew], async () => {
    const seconds = await databaseState.clock(background);
    return seconds === null ? [] : [{ of: skew, value: Date.now() / 1000 - seconds }];
  });
}

function measureOutbox(metrics: Metrics, { relay }: Store): void {
  const depth = metrics.gauge(
    'gatehouse_outbox_depth',
    'Messages (events, or bundles of them) that wait to be published',
  );
  const age = metrics.gauge('gatehouse_outbox_age_seconds', 'Age of the oldest event that waits; 0 when none does');
  metrics.atScrape([depth, age], async () => {
    const backlog = await relay.backlog();
    return [
      { of: depth, value: backlog.depth },
      { of: age, value: backlog.age },
    ];
  });
  const published = metrics.counter('gatehouse_outbox_published_total', 'Messages that the broker has stored');
  relay.onPublished((_, { messages }) => published.inc(messages));
}

function measurePools(metrics: Metrics, { requests, background, system }: Store): void {
  const connections = metrics.gauge('gatehouse_pool_connections', 'Connections to the database', ['pool', 'state']);
  const waiting = metrics.gauge('gatehouse_pool_waiting', 'Work that waits for a connection', ['pool']);
  metrics.atScrape([connections, waiting], async () =>
    Object.entries({ requests, background, system }).flatMap(([pool, source]): Reading[] => {
      const connected = poolOf(source);
      if (!connected) return [];
      return [
        { of: connections, value: connected.idleCount, labels: { pool, state: 'idle' } },
        { of: connections, value: connected.totalCount - connected.idleCount, labels: { pool, state: 'in_use' } },
        { of: waiting, value: connected.waitingCount, labels: { pool } },
      ];
    }),
  );
}

function measureDeadLetters(metrics: Metrics, { background }: Store): void {
  const letters = metrics.gauge('gatehouse_dead_letters', 'Events that were given up and not replayed');
  metrics.atScrape([letters], async () => {
    const count = await databaseState.deadLetters(background);
    return count === null ? [] : [{ of: letters, value: count }];
  });
}

/** Measures how many events a consumer has not yet received. */
export function measureConsumers(metrics: Metrics, runners: readonly ConsumerRunner[]): void {
  const pending = metrics.gauge('gatehouse_consumer_pending', 'Events of a stream that this service has yet to get', [
    'stream',
  ]);
  const unacknowledged = metrics.gauge('gatehouse_consumer_unacknowledged', 'Events that it has got and not settled', [
    'stream',
  ]);
  for (const runner of runners)
    metrics.atScrape([pending, unacknowledged], async () => {
      const { stream, ...backlog } = await runner.backlog();
      return [
        { of: pending, value: backlog.pending, labels: { stream } },
        { of: unacknowledged, value: backlog.unacknowledged, labels: { stream } },
      ];
    });
}
