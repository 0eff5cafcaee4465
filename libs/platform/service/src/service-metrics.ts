import { poolOf } from '@gatehouse/database';
import type { ConsumerRunner } from '@gatehouse/messaging';
import type { Metrics, Reading } from '@gatehouse/telemetry';
import type { FastifyInstance } from 'fastify';
import { databaseState } from './database-state.repository.ts';
import type { Platform, Store } from './platform.ts';

/** Counts and times every request, labelled with the template of its route. */
export function measureRequests(server: FastifyInstance, { requests }: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    requests.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

/** Registers the metrics of the database, broker and cache that every service has. */
export function measurePlatform({ metrics, store, bus, redis }: Platform): void {
  // The pools come first, so that the scrape does not count the connections that it uses itself.
  if (store) measurePools(metrics, store);
  const up = metrics.gauge('gatehouse_part_up', 'Whether a part that the service needs can be reached: 1 or 0', [
    'part',
  ]);
  metrics.atScrape([up], async () => {
    const parts = {
      broker: bus.isConnected,
      cache: redis.status === 'ready',
      ...(store && { database: await databaseState.answers(store.background) }),
    };
    return Object.entries(parts).map(([part, isUp]) => ({ of: up, value: Number(isUp), labels: { part } }));
  });
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
  metrics.atScrape([pending, unacknowledged], async () => {
    const backlogs = await Promise.all(runners.map((runner) => runner.backlog()));
    return backlogs.flatMap(({ stream, ...backlog }): Reading[] => [
      { of: pending, value: backlog.pending, labels: { stream } },
      { of: unacknowledged, value: backlog.unacknowledged, labels: { stream } },
    ]);
  });
}
