import { type EventEnvelope } from '@gatehouse/contracts-core';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker, type TestBroker, stopwatch, until } from '../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect as connectBroker } from 'nats';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

describe('the bus', () => {
  let broker: TestBroker;
  let stranger: TestBroker;
  let way: Way;
  let bus: EventBus;
  let teller: EventBus;

  beforeAll(async () => {
    [broker, stranger] = await Promise.all([startTestBroker(), startTestBroker()]);
    way = await Way.to(broker.url);
    bus = new EventBus({ url: way.through(broker.urlOf('pam-ingest')), name: 'pam-ingest', log });
    teller = new EventBus({
      url: broker.urlOf('tenancy'),
      name: 'tenancy',
      log: { ...log, warn: (_: object, message: string) => void saidByTeller.push(message) },
    });
    bus.listenTo(SUBJECT, ({ id }: EventEnvelope) => heard.push(id));
    teller.reply(QUESTION, async ({ value }: { value: number }) => ({ value: 2 * value }));
    for (const one of [bus, teller]) one.start();
    await Promise.all([bus.whenReady(), teller.whenReady()]);
  });
  afterAll(async () => {
    await Promise.all([bus.close(), teller.close()]);
    way.stop();
    await Promise.all([broker.stop(), stranger.stop()]);
  });

  it('goes on answering after a question that is none', async () => {
    const { port, username, password } = new URL(broker.urlOf('pam-ingest'));
    const asker = await connectBroker({ servers: `127.0.0.1:${port}`, user: username, pass: password });
    for (const question of ['{"not json', 'null', '']) asker.publish(QUESTION, question, { reply: '_INBOX.nobody' });
    await asker.drain();
    expect(await double(2)).toEqual({ value: 4 });
    expect(saidByTeller.filter((message) => message === 'a question could not be answered')).toHaveLength(3);
  });

  it('does not count an event that no stream takes as published', async () => {
    const administrator = new EventBus({ url: broker.url, name: 'tenancy', log });
    administrator.start();
    await administrator.whenReady();
    const event = { id: randomUUID(), subject: 'nowhere.fact.v1', json: '{}' };
    await expect(administrator.publish([event])).rejects.toThrow('no stream takes the subject');
    await administrator.close();
  });

  it('waits for no acknowledgement on a connection that has ended', async () => {
    way.break();
    const spent = stopwatch();
    const published = bus
      .publish([
        { id: randomUUID(), subject: SUBJECT, json: JSON.stringify({ id: 'lost', subject: SUBJECT, data: {} }) },
      ])
      .catch((error: Error) => error.message);
    way.mend();
    expect(await published).toContain('the connection ended');
    expect(spent()).toBeLessThan(2_500);
    await until(() => bus.isConnected, 10);
    said.length = 0;
  });

  it('leaves a connection that died without a word, whatever was on its way, and hears everything once by the next', async () => {
    way.break();
    const json = JSON.stringify({ id: 'lost', data: 'x'.repeat(900_000) });
    const lost = bus
      .publish(Array.from({ length: 30 }, () => ({ id: randomUUID(), subject: SUBJECT, json })))
      .catch(() => 'lost');
    await until(() => !bus.isConnected, 25);
    expect(await lost).toBe('lost');
    // Long enough for some attempts to connect that are given up.
    await wait(8_000);
    way.mend();
    await until(() => bus.isConnected, 10);
    // The broker closes a connection that does not authenticate within 2 s.
    const ids = Array.from({ length: 40 }, () => randomUUID());
    for (const id of ids) await Promise.all([tell(id), wait(100)]);
    await until(() => heard.includes(ids.at(-1) ?? ''), 5);
    expect(heard.splice(0)).toEqual(ids);
    expect(await double(3)).toEqual({ value: 6 });
    expect(said.filter((message) => message === 'disconnected from the broker')).toHaveLength(1);
  });

  it('comes back by itself when its credentials, which were refused for a while, are good again', async () => {
    way.leadTo(stranger.url);
    await until(() => !bus.isConnected, 5);
    await wait(4_000);
    way.leadTo(broker.url);
    await until(() => bus.isConnected, 10);
    await tell('again');
    await until(() => heard.includes('again'), 5);
    expect(await double(4)).toEqual({ value: 8 });
  });

  const said: string[] = [];
  const saidByTeller: string[] = [];
  const log = {
    info: () => undefined,
    warn: (_: object, message: string) => void said.push(message),
    error: () => undefined,
  };
  const heard: string[] = [];
  const tell = (id: string, padding = ''): Promise<void> =>
    teller.publish([
      {
        id: randomUUID(),
        subject: SUBJECT,
        json: JSON.stringify({ id, subject: SUBJECT, source: 'tenancy', data: { padding } }),
      },
    ]);
  const double = (value: number): Promise<object> => bus.request(QUESTION, { value }, { timeoutMs: 1_000 });
});

/**
 * A proxy in front of a broker. While it is broken it reads nothing. When it is mended it closes the old connections
 * and accepts those that were opened during the break.
 */
class Way {
  private readonly ends = new Set<Socket>();
  private readonly knocking = new Set<Socket>();
  private broken = false;
  private port: number;

  private constructor(
    private readonly server: Server,
    url: string,
  ) {
    this.port = Number(new URL(url).port);
    server.on('connection', (client) => (this.broken ? this.knocking.add(client) : this.join(client)));
  }

  static async to(url: string): Promise<Way> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Way(server, url);
  }

  through(url: string): string {
    const changed = new URL(url);
    changed.port = String((this.server.address() as AddressInfo).port);
    return changed.href;
  }

  break(): void {
    this.broken = true;
    for (const end of this.ends) end.unpipe().pause();
  }

  mend(): void {
    this.broken = false;
    this.cut();
    for (const client of this.knocking) this.join(client);
    this.knocking.clear();
  }

  /** Cuts the connections of this moment; new ones lead to this broker. */
  leadTo(url: string): void {
    this.port = Number(new URL(url).port);
    this.cut();
  }

  stop(): void {
    this.server.close();
    for (const end of [...this.ends, ...this.knocking]) end.destroy();
  }

  private cut(): void {
    for (const end of this.ends) end.destroy();
    this.ends.clear();
  }

  private join(client: Socket): void {
    const broker = connect(this.port, '127.0.0.1');
    for (const [from, to] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.ends.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => to.destroy())
        .pipe(to);
    }
  }
}

const SUBJECT = 'tenancy.device.changed.v1';
const QUESTION = 'ask.tenancy.agents_seen';
