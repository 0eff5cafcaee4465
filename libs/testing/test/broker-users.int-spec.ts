import { brokerUsers, TRAFFIC } from '@gatehouse/messaging';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createInbox, Events, headers, JSONCodec, type NatsConnection, StorageType } from 'nats';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestBroker, type TestBroker, until } from '../src/index.ts';

const SERVICES = Object.keys(TRAFFIC);

function login(address: string, inboxPrefix?: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(address);
  return connect({ servers: host, user: username, pass: password, reconnect: false, inboxPrefix });
}
const STREAMS = ['IDENTITY', 'TENANCY', 'PAM', 'AUDIT', 'CHECKPOINTS'];

const broker = await startTestBroker();
const admin = await login(broker.url);
afterAll(async () => {
  await admin.close();
  await broker.stop();
});

describe("a broker at which one service's login is in the hands of an attacker", () => {
  describe.each(SERVICES)('that of %s', (service) => {
    let attacker: Attacker;
    beforeAll(async () => {
      attacker = await Attacker.as(broker, service);
    });
    afterAll(() => attacker.connection.close());

    it('ATK-03a publishes what the service and those that share its outbox state, and no other subject: no audit entry of another, no device change, no step of a purge', async () => {
      const allowed = EVERY_SUBJECT.filter((subject) =>
        publish.some((pattern) => pattern.replace('*', 'x') === subject),
      );
      const sizes = await lengths();
      for (const subject of EVERY_SUBJECT) await attacker.publish(subject, { id: randomUUID(), subject });
      const stored = async () => sum(await lengths()) - sum(sizes);
      await until(async () => (await stored()) >= allowed.length);
      await wait(SOON_MS);
      expect(await stored()).toBe(allowed.length);
      expect(new Set(attacker.refusals)).toEqual(
        new Set(EVERY_SUBJECT.filter((subject) => !allowed.includes(subject)).map((subject) => `publish ${subject}`)),
      );
    });

    it('ATK-03b makes, changes, empties and deletes no stream, and makes, changes and deletes no consumer', async () => {
      const sizes = await lengths();
      const filled = {
        name: 'EVIL',
        subjects: ['evil.>'],
        storage: StorageType.Memory,
        sources: [{ name: 'AUDIT' }],
        republish: { src: 'evil.>', dest: 'tenancy.>' },
      };
      const consumer = { durable_name: service, ack_policy: 'none', deliver_subject: 'tenancy.device.changed.v1' };
      for (const stream of STREAMS) {
        for (const what of [
          'DELETE',
          'PURGE',
          'MSG.DELETE',
          ...(publish.includes(`STREAMS.API.STREAM.MSG.GET.${stream}`) ? [] : ['MSG.GET']),
          'SNAPSHOT',
          'UPDATE',
          'PEER.REMOVE',
          'LEADER.STEPDOWN',
        ])
          expect([
            what,
            await attacker.request(
              `$JS.API.STREAM.${what}.${stream}`,
              what === 'DELETE' || what === 'PURGE' ? '' : { seq: 1 },
            ),
          ]).toEqual([what, null]);
        for (const what of ['DURABLE.CREATE', 'CREATE'])
          expect([
            what,
            await attacker.request(`$JS.API.CONSUMER.${what}.${stream}.${service}`, {
              stream_name: stream,
              config: consumer,
            }),
          ]).toEqual([what, null]);
        expect(
          await attacker.request(`$JS.API.CONSUMER.CREATE.${stream}`, {
            stream_name: stream,
            config: { ack_policy: 'none', deliver_subject: createInbox(`_INBOX.${service}`) },
          }),
        ).toBeNull();
        for (const other of SERVICES)
          expect(await attacker.request(`$JS.API.CONSUMER.DELETE.${stream}.${other}`)).toBeNull();
        expect(await attacker.request(`$JS.API.DIRECT.GET.${stream}`, { seq: 1 })).toBeNull();
      }
      expect(await attacker.request('$JS.API.STREAM.CREATE.EVIL', filled)).toBeNull();
      expect(await attacker.request('$JS.API.STREAM.RESTORE.EVIL', filled)).toBeNull();
      expect(await lengths()).toEqual(sizes);
    });

    it("ATK-03c fetches and acknowledges nothing of another's consumer, and hears nothing of another's inbox, questions or events", async () => {
      for (const stream of STREAMS) {
        for (const other of SERVICES.filter((name) => name !== service)) {
          expect(
            await attacker.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${other}`, { batch: 1, no_wait: true }),
          ).toBeNull();
          expect(await attacker.request(`$JS.ACK.${stream}.${other}.1.1.1.1.1`)).toBeNull();
        }
      }
      const foreign = [
        '>',
        '_INBOX.>',
        '$JS.>',
        ...SERVICES.filter((name) => name !== service).map((other) => `_INBOX.${other}.>`),
        ...[...EVERY_SUBJECT, ...Object.values(TRAFFIC).flatMap(({ answers }) => answers)].filter(
          (subject) =>
            !subscribe.some((own) => own === subject || (own.endsWith('>') && subject.startsWith(own.slice(0, -1)))),
        ),
      ];
      const say = async (): Promise<void> => {
        for (const { user, publish: own } of brokerUsers()) {
          const publisher = await Attacker.as(broker, user);
          const stated = own.filter((subject) => /^[a-z]/.test(subject));
          for (const subject of stated) await publisher.publish(subject.replace('*', 'x'), {});
          expect(publisher.refusals).toEqual([]);
          await publisher.connection.close();
        }
      };
      expect(await attacker.overhear(foreign, say)).toEqual([]);
    });

    const { publish = [], subscribe = [] } = brokerUsers().find(({ user }) => user === service) ?? {};
  });

  describe('by way of the broker itself', () => {
    it.each(SERVICES)(
      'ATK-03d %s empties and deletes no stream or consumer by having the broker reply to its own interface',
      async (service) => {
        const attacker = await Attacker.as(broker, service);
        const { publish = [] } = brokerUsers().find(({ user }) => user === service) ?? {};
        const consumers = await Promise.all(STREAMS.map(consumersOf));
        const before = await stateOf();
        let stored = 0;
        for (const subject of publish.map((pattern) => pattern.replace('*', 'x')))
          for (const order of ORDERS) {
            const isStored = /^[a-z]/.test(subject) && !subject.startsWith('ask.');
            stored += isStored ? 1 : 0;
            await attacker.publish(subject, isStored ? { id: randomUUID() } : { batch: 1, no_wait: true }, order);
          }
        const messages = (states: typeof before): number => sum(states.map(([, count]) => Number(count)));
        const added = async () => messages(await stateOf()) - messages(before);
        await until(async () => (await added()) >= stored);
        await wait(SOON_MS);
        expect(await added()).toBe(stored);
        const after = await stateOf();
        expect(after.map(([name, , ...rest]) => [name, ...rest])).toEqual(
          before.map(([name, , ...rest]) => [name, ...rest]),
        );
        expect(await Promise.all(STREAMS.map(consumersOf))).toEqual(consumers);
        await attacker.connection.close();
      },
    );

    const stateOf = async () =>
      Promise.all(
        STREAMS.map(async (stream) =>
          (({ messages, first_seq, num_deleted = 0 }) => [stream, messages, first_seq, num_deleted])(
            (await (await admin.jetstreamManager()).streams.info(stream)).state,
          ),
        ),
      );

    /** Commands that need no content, under each prefix that the broker might take for its interface. */
    const ORDERS = ['$JS.API', 'STREAMS.API'].flatMap((prefix) =>
      STREAMS.flatMap((stream) => [
        ...['DELETE', 'PURGE', 'MSG.DELETE'].map((order) => `${prefix}.STREAM.${order}.${stream}`),
        ...SERVICES.map((service) => `${prefix}.CONSUMER.DELETE.${stream}.${service}`),
      ]),
    );
    const consumersOf = async (stream: string): Promise<string[]> => {
      const listed = await (await admin.jetstreamManager()).consumers.list(stream).next();
      return listed.map(({ name }) => name).sort();
    };
  });

  const lengthOf = async (stream: string): Promise<number> =>
    (await (await admin.jetstreamManager()).streams.info(stream)).state.messages;
  const lengths = async (): Promise<number[]> => Promise.all(STREAMS.map(lengthOf));
});

const codec = JSONCodec();
const SOON_MS = 300;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** An attacker who has one service's login and a client of their own. */
class Attacker {
  readonly refusals: string[] = [];

  private constructor(readonly connection: NatsConnection) {
    void this.note();
  }

  static async as(broker: TestBroker, service: string): Promise<Attacker> {
    return new Attacker(await login(broker.urlOf(service), `_INBOX.${service}`));
  }

  /** Whether the broker let a request through, and what it answered. */
  async request(subject: string, body: object | string = ''): Promise<object | null> {
    const before = this.refusals.length;
    const payload = typeof body === 'string' ? body : codec.encode(body);
    return Promise.race([
      this.connection.request(subject, payload, { timeout: 2_000 }).then(
        (reply) => ({ answer: reply.string() }),
        () => null,
      ),
      (async () => {
        while (this.refusals.length === before) await wait(10);
        return null;
      })(),
    ]);
  }

  async publish(subject: string, body: object, reply?: string): Promise<void> {
    const own = headers();
    own.set('Nats-Msg-Id', randomUUID());
    this.connection.publish(subject, codec.encode(body), { headers: own, ...(reply && { reply }) });
    await this.connection.flush();
  }

  /** @returns what arrived on some subjects while something was done, and within a moment after it */
  async overhear(subjects: readonly string[], during: () => Promise<void>): Promise<string[]> {
    const heard: string[] = [];
    for (const subject of subjects)
      this.connection.subscribe(subject, { callback: (error, message) => void (error ?? heard.push(message.subject)) });
    await this.connection.flush();
    await during();
    await wait(SOON_MS);
    return heard;
  }

  private async note(): Promise<void> {
    for await (const { type, permissionContext } of this.connection.status())
      if (type === Events.Error) this.refusals.push(`${permissionContext?.operation} ${permissionContext?.subject}`);
  }
}

const EVERY_SUBJECT = [
  ...new Set([
    ...Object.values(TRAFFIC).flatMap(({ states }) => states.map((subject) => subject.replace('*', 'x'))),
    ...SERVICES.map((service) => `audit.${service}`),
  ]),
];
