import { Public } from '@gatehouse/auth';
import { asService, defineEvent, type EventEnvelope, Text, Whole } from '@gatehouse/contracts-core';
import { type DatabaseDefinition, type Tx, UnitOfWork } from '@gatehouse/database';
import { ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { FaultProxy, startTestBroker, TestService, stopwatch, until } from '../src/index.ts';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { IsString } from 'class-validator';
import { connect, DiscardPolicy } from 'nats';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Consumes, type DeadLetter, EventBus, provisionBroker, STREAMS } from '@gatehouse/messaging';

class Counted {
  @Text({ max: 20 }) key!: string;
  @Whole({ min: 0, max: 1_000_000 }) value!: number;
}
/** In the place of an event that the catalogue lets tenancy state and consume. */
const CountChanged = defineEvent('tenancy.tenant_data.requested.v1', Counted);

class CreateCounts implements MigrationInterface {
  name = 'CreateCounts1800000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE counts (key text PRIMARY KEY, applied int NOT NULL DEFAULT 0, last int NOT NULL DEFAULT 0)',
    );
  }

  async down(): Promise<void> {}
}

class CountsConfig extends ServiceConfig {
  @IsString()
  databaseUrlCounts!: string;
}

const UPSERT = `INSERT INTO counts (key, applied, last) VALUES ($1, 1, $2) ON CONFLICT (key) DO UPDATE
  SET applied = counts.applied + 1, last = EXCLUDED.last`;

let isIll = true;

@Injectable()
class Counter {
  @Consumes(CountChanged)
  async apply(tx: Tx, { data }: EventEnvelope<Counted>): Promise<void> {
    if (data.key === 'poison' || (data.key === 'ill' && isIll)) throw new Error('cannot be applied');
    await tx.query(UPSERT, [data.key, data.value]);
  }
}

@Controller('nothing')
class NothingController {
  @Get()
  @Public()
  nothing(): object {
    return {};
  }
}

@Module({ controllers: [NothingController], providers: [Counter] })
class CountsModule {}

const definition: DatabaseDefinition = { name: 'counts', entities: [], migrations: [CreateCounts] };
const counts: ServiceDefinition<CountsConfig> = {
  name: 'tenancy',
  config: CountsConfig,
  module: CountsModule,
  database: { definition, url: (config) => config.databaseUrlCounts },
};

const broker = await startTestBroker();
const network = await FaultProxy.before(broker.url);
const service = await TestService.start(counts, { natsUrl: network.through(broker.url) });
afterAll(async () => {
  await service.stop();
  await network.stop();
  await broker.stop();
});

describe('committed facts on their way through the broker', () => {
  it('apply once each, in the order of their commits', async () => {
    for (let value = 1; value <= 50; value++) await emit('order', value);
    await until(async () => (await applied('order')) === 50);
    expect(await service.sql('SELECT last FROM counts WHERE key = $1', ['order'])).toEqual([{ last: 50 }]);
  });

  it('leave in the order of their commits, whichever was made first and whatever its subject', async () => {
    const work = service.service.app.get(UnitOfWork);
    const [tenancy, aggregateId] = [asService('test'), randomUUID()];
    const told = (tx: Tx, value: number): void => tx.emit(CountChanged, { key: 'commits', value }, { aggregateId });
    await work.background(tenancy, async (relay) => {
      await relay.query('SELECT pg_advisory_xact_lock(4284284)');
      await work.background(tenancy, async (slow) => {
        told(slow, 1);
        slow.audit({ action: 'site.create', resource: { type: 'note', id: null }, details: {} });
        told(slow, 2);
        await emit('commits', 3);
      });
    });
    await until(async () => (await applied('commits')) === 3);
    expect(await service.sql('SELECT last FROM counts WHERE key = $1', ['commits'])).toEqual([{ last: 2 }]);
    const subjects = await service.sql('SELECT subject FROM outbox ORDER BY sequence DESC LIMIT 3');
    expect(subjects.map(({ subject }) => subject)).toEqual([
      CountChanged.subject,
      'audit.tenancy',
      CountChanged.subject,
    ]);
  });

  it('have one effect however often they are delivered', async () => {
    await emit('twice', 1);
    await until(async () => (await applied('twice')) === 1);
    const [event] = (await service.emitted(CountChanged)).slice(-1);
    const connection = await administrator();
    for (let copy = 0; copy < 5; copy++)
      await connection.jetstream().publish(CountChanged.subject, JSON.stringify(event), { msgID: `copy-${copy}` });
    await connection.close();
    await emit('after', 1);
    await until(async () => (await applied('after')) === 1);
    expect(await applied('twice')).toBe(1);
  });

  it('are looked for again when a look at the streams fails after connecting (R-23)', async () => {
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const bus = new EventBus({ url: broker.urlOf('tenancy'), name: 'tenancy', log: silent });
    let looks = 0;
    void bus.onStreams(async () => {
      if (++looks === 1) throw new Error('the broker does not know its streams yet');
    });
    bus.start();
    await until(async () => looks > 1);
    expect(bus.isConnected).toBe(true);
    await bus.close();
  });

  it('wait for a poison message no longer than it takes to try it', async () => {
    await emit('poison', 1);
    await emit('beside', 1);
    await until(async () => (await applied('beside')) === 1, 3);
    expect(await applied('poison')).toBe(0);
  });

  it('of one transaction and subject travel as one message, in which a poison one keeps no other back, and have one effect each', async () => {
    const keys = ['bundle-a', 'poison', 'bundle-b', 'bundle-a'];
    await service.service.app.get(UnitOfWork).background(asService('test'), async (tx) => {
      for (const key of keys) tx.emit(CountChanged, { key, value: 7 }, { aggregateId: randomUUID() });
    });
    await until(async () => (await applied('bundle-b')) === 1, 10);
    await emit('after-bundle', 1);
    await until(async () => (await applied('after-bundle')) === 1, 10);
    expect(await service.sql(`SELECT FROM outbox WHERE json_array_length(envelope->'events') = 4`)).toHaveLength(1);
    await wait(1_000);
    expect([await applied('bundle-a'), await applied('bundle-b'), await applied('poison')]).toEqual([2, 1, 0]);
  });

  it('of a message that was applied in part have one effect when it comes again', async () => {
    await service.service.app.get(UnitOfWork).background(asService('test'), async (tx) => {
      for (const key of ['half-a', 'ill', 'half-b']) tx.emit(CountChanged, { key, value: 7 }, { aggregateId: 'half' });
    });
    await until(async () => (await applied('half-b')) === 1);
    isIll = false;
    await until(async () => (await applied('ill')) === 1);
    expect([await applied('half-a'), await applied('half-b')]).toEqual([1, 1]);
  });

  it('survive a broker that dies: writes go on, the outbox drains when it is back', async () => {
    await broker.kill();
    for (let value = 1; value <= 30; value++) await emit('outage', value);
    expect(await unpublished()).toBeGreaterThanOrEqual(30);
    await broker.start();
    await until(async () => (await applied('outage')) === 30, 30);
    expect(await unpublished()).toBe(0);
  });

  it('survive a network that falls silent and ends no connection: all goes on within 30 s of its return', async () => {
    const { bus } = service.service.platform;
    network.set({ kind: 'hold' });
    await emit('silence', 1);
    await until(async () => !bus.isConnected, 25);
    await emit('silence', 2);
    network.set({ kind: 'pass' });
    await until(async () => (await applied('silence')) === 2, 30);
    expect(await unpublished()).toBe(0);
  });

  it('are published again from the outbox when the streams were lost, without a second effect', async () => {
    const connection = await administrator();
    await (await connection.jetstreamManager()).streams.delete('TENANCY');
    await connection.close();
    await emit('wiped', 1);
    await until(async () => (await applied('wiped')) === 1, 30);
    expect(await applied('outage')).toBe(30);
    expect(await applied('order')).toBe(50);
  });

  it('R-23: that the streams have lost go before those that never left, as after a restoration', async () => {
    const [former, fresh] = [await startTestBroker(), await startTestBroker()];
    const before = await TestService.start(counts, { natsUrl: former.url });
    await emit('restored', 1, before);
    await until(async () => (await unpublished(before)) === 0);
    await former.kill();
    await emit('restored', 2, before);
    jest.spyOn(EventBus.prototype, 'lookAtStreams').mockRejectedValueOnce(new Error('the broker is not ready'));
    const after = await TestService.start(counts, { natsUrl: fresh.url, replicaOf: before });
    // The relay of the dead broker keeps its turn until its publication fails.
    await until(async () => (await unpublished(before)) === 0, 60);
    const connection = await administrator(fresh);
    const manager = await connection.jetstreamManager();
    const values = await Promise.all(
      [1, 2].map(async (seq) => (await manager.streams.getMessage('TENANCY', { seq })).json<EventEnvelope<Counted>>()),
    );
    expect(values.map(({ data }) => data.value)).toEqual([1, 2]);
    await connection.close();
    await after.stop();
    await before.stop();
    await fresh.stop();
    await former.stop();
  });

  it('are buried as dead letters after eight failed deliveries, each by itself', async () => {
    await emit('poison', 2);
    const buried = (): Promise<{ key: string; times: number }[]> =>
      service.sql(`SELECT payload::json->'data'->>'key' AS key, count(*)::int AS times FROM dead_letters GROUP BY 1`);
    // One alone, one in a bundle, and the last.
    await until(async () => (await buried())[0]?.times === 3, 60);
    expect(await buried()).toEqual([{ key: 'poison', times: 3 }]);
    expect([await applied('poison'), await applied('bundle-a'), await applied('bundle-b')]).toEqual([0, 2, 1]);
  });

  const letters = async (): Promise<DeadLetter[]> =>
    (await service.asService('operator').get('/internal/operator/dead-letters')).body.data as DeadLetter[];

  it('R-26: what is no event, or one of a version that is not known yet, is kept as a dead letter and delays nobody', async () => {
    const later = CountChanged.subject.replace('.v1', '.v2');
    const [event] = await service.emitted(CountChanged);
    const bad = [
      { id: randomUUID(), subject: CountChanged.subject, json: '{"not json' },
      { id: randomUUID(), subject: CountChanged.subject, json: 'a \0 byte' },
      {
        id: randomUUID(),
        subject: CountChanged.subject,
        json: JSON.stringify({ ...event, id: randomUUID(), data: { key: 'no value' } }),
      },
      { id: randomUUID(), subject: later, json: JSON.stringify({ ...event, id: randomUUID(), subject: later }) },
      { id: randomUUID(), subject: 'tenancy.unrelated.changed.v1', json: '{}' },
    ];
    // Events of the tests before may still be on their way to their burial.
    const buried = async () => (await letters()).filter(({ error }) => error !== 'cannot be applied');
    const connection = await administrator();
    for (const { id, subject, json } of bad) await connection.jetstream().publish(subject, json, { msgID: id });
    await connection.close();
    const delays: number[] = [];
    for (let value = 1; value <= 20; value++) {
      const spent = stopwatch();
      await emit('unhindered', value);
      await until(async () => (await applied('unhindered')) === value, 20);
      delays.push(spent());
    }
    expect(delays.sort((a, b) => a - b)[delays.length / 2]).toBeLessThan(1_000);
    await until(async () => (await buried()).length === 4, 60);
    const reasons = (await buried()).map(({ subject, error }) => `${subject}: ${error}`);
    expect(reasons).toEqual(
      expect.arrayContaining([
        `${later}: this version of the event is not known here`,
        expect.stringContaining('the payload is not valid: value'),
        expect.stringContaining('JSON'),
      ]),
    );
  });

  describe('too large for the broker', () => {
    it('are cut to what leaves when they are audit entries, and say so', async () => {
      await service.service.app.get(UnitOfWork).background(asService('test'), async (tx) => {
        tx.audit({
          action: 'site.create',
          resource: { type: 'note', id: null, name: '\u20ac'.repeat(400_000) },
          details: { text: HUGE },
        });
        tx.audit({
          action: 'site.delete',
          resource: { type: 'note', id: null, name: 'small' },
          details: { text: 'whole' },
        });
      });
      await until(async () => (await unpublished()) === 0);
      const [cut, whole] = (await service.audits()).slice(-2);
      expect(cut).toMatchObject({
        action: 'site.create',
        actor: { type: 'system' },
        resource: { type: 'note', name: '\u20ac'.repeat(1_000) },
        details: { truncated: true },
      });
      expect(whole).toMatchObject({ action: 'site.delete', resource: { name: 'small' }, details: { text: 'whole' } });
      expect(await setAside()).toEqual([]);
    });

    it('refuse the change that they tell of when they are events', async () => {
      await expect(emit(HUGE, 1)).rejects.toThrow(CountChanged.subject);
      expect(await unpublished()).toBe(0);
    });

    it('are set aside as dead letters when the outbox holds them already, hold up none behind them, and stand in line again when replayed', async () => {
      const [event] = await service.emitted(CountChanged);
      const id = randomUUID();
      await service.sql('INSERT INTO outbox (id, subject, envelope) VALUES ($1, $2, $3)', [
        id,
        CountChanged.subject,
        JSON.stringify({ ...event, id, data: { key: HUGE, value: 1 } }),
      ]);
      await emit('behind', 1);
      await until(async () => (await applied('behind')) === 1, 10);
      const [letter] = await setAside();
      expect(letter).toMatchObject({ consumer: 'tenancy.outbox', subject: CountChanged.subject });
      await service.sql(`UPDATE dead_letters SET payload = replace(payload, $2, 'replayed') WHERE id = $1`, [
        letter?.id,
        HUGE,
      ]);
      expect(await service.service.platform.store?.deadLetters.replay(asService('operator'), letter?.id ?? '')).toEqual(
        { replayed: true, reason: null },
      );
      await until(async () => (await applied('replayed')) === 1, 10);
    });

    const HUGE = 'x'.repeat(1_100_000);
    const setAside = async () => (await letters()).filter(({ error }) => error.includes('takes no message'));
  });

  it('are forgotten when they are of no use: published, applied, answered, replayed or given up', async () => {
    const [hours, ended] = ['now() - make_interval(hours => $2)', 'now() - make_interval(hours => $3)'];
    const LETTER = `dead_letters (id, consumer, subject, payload, error, created_at, replayed_at)
      SELECT gen_random_uuid(), $1, 'x', '{}', 'x', ${hours}, ${ended}`;
    const OUTBOX = `outbox (id, subject, envelope, created_at, published_at)
      SELECT gen_random_uuid(), $1, '{}', ${hours}, ${ended}`;
    const INBOX = `inbox (consumer, event_id, received_at) SELECT $1, gen_random_uuid(), ${hours}`;
    const ANSWER = `idempotency_keys (caller_id, key, run, body_hash, created_at) SELECT $1, 'x', 0, 'x', ${hours}`;
    // As old as what is kept, and as what is forgotten.
    const aged: [string, (number | null)[], (number | null)[]][] = [
      [LETTER, [40 * 24, 14 * 24], [40 * 24, 16 * 24]],
      [LETTER, [89 * 24, null], [91 * 24, null]],
      [OUTBOX, [73, 71], [73, 73]],
      [INBOX, [14 * 24], [16 * 24]],
      [ANSWER, [23], [25]],
    ];
    for (const [at, [into, kept, gone]] of aged.entries()) {
      await service.sql(`INSERT INTO ${into}`, [`kept-${at}`, ...kept]);
      await service.sql(`INSERT INTO ${into}`, [`gone-${at}`, ...gone]);
    }
    await service.service.platform.store?.relay.clean();
    const left = await service.sql<{ name: string }>(`SELECT name FROM (SELECT consumer AS name FROM dead_letters
      UNION ALL SELECT subject FROM outbox UNION ALL SELECT consumer FROM inbox
      UNION ALL SELECT caller_id FROM idempotency_keys) AS rows WHERE name ~ '^(kept|gone)-' ORDER BY name`);
    expect(left.map(({ name }) => name)).toEqual(aged.map((_, at) => `kept-${at}`));
  });

  it('R-25: wait in the outbox while a stream takes no more, and nothing ends', async () => {
    const connection = await administrator();
    const manager = await connection.jetstreamManager();
    const { config } = await manager.streams.info('TENANCY');
    await manager.streams.update('TENANCY', { ...config, max_bytes: 1, discard: DiscardPolicy.New });
    await emit('full', 1);
    await wait(1_500);
    expect(await unpublished()).toBeGreaterThanOrEqual(1);
    expect(await applied('full')).toBe(0);
    await manager.streams.update('TENANCY', { ...config, max_bytes: -1 });
    await connection.close();
    await until(async () => (await applied('full')) === 1, 30);
    expect(await unpublished()).toBe(0);
  });

  it('R-118: fill the share of their stream, which loses none of them, and go on when the streams get more', async () => {
    const provision = (bytes: number): Promise<void> => provisionBroker(broker.url, { filtered: true, bytes });
    const connection = await administrator();
    const manager = await connection.jetstreamManager();
    const before = (await manager.streams.info('TENANCY')).state;
    const bytes = 20 * before.bytes + 200_000;
    await provision(bytes);
    const limits = await Promise.all(
      STREAMS.map(async ({ name }) => (await manager.streams.info(name)).config.max_bytes),
    );
    expect(limits).toEqual(STREAMS.map(({ percent }) => Math.floor((bytes * percent) / 100)));
    const stored = async () => (await manager.streams.info('TENANCY')).state.messages > before.messages;
    for (let value = 1; (await unpublished()) < 5 || !(await stored()); value++) await emit('share', value);
    const { state, config } = await manager.streams.info('TENANCY');
    expect([state.first_seq, state.bytes <= config.max_bytes]).toEqual([before.first_seq, true]);
    await expect(provision(2 ** 40)).rejects.toThrow(/storage/);
    await provision(2 ** 30);
    await connection.close();
    await until(async () => (await unpublished()) === 0, 30);
  });

  const emit = (key: string, value: number, of = service): Promise<void> =>
    of.service.app
      .get(UnitOfWork)
      .background(asService('test'), async (tx) =>
        tx.emit(CountChanged, { key, value }, { aggregateId: randomUUID() }),
      );
  const applied = async (key: string): Promise<number> =>
    (await service.sql<{ applied: number }>('SELECT applied FROM counts WHERE key = $1', [key]))[0]?.applied ?? 0;
  const administrator = (of = broker) => {
    const { port, username, password } = new URL(of.url);
    return connect({ servers: `127.0.0.1:${port}`, user: username, pass: password });
  };
  const unpublished = async (of = service): Promise<number> =>
    (await of.sql('SELECT FROM outbox WHERE published_at IS NULL')).length;
});
