import type { EventType } from '@gatehouse/contracts-core';
import { PrincipalsChanged, SsoProviderChanged } from '@gatehouse/contracts-identity';
import {
  ElevationApproved,
  ElevationRequested,
  FreezeStarted,
  RequestOutcomeNotified,
  RulebookChanged,
} from '@gatehouse/contracts-pam';
import { DeviceChanged, MergeProgressed, OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgTechnician, aPartnerTechnician, startTestBroker, TestService, until } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'nats';
import type { Principal } from '@gatehouse/contracts-core';
import { notifierService } from '../src/service.ts';

const SOURCES = ['pam', 'tenancy', 'identity'] as const;

const broker = await startTestBroker();
const service = await TestService.start(notifierService, { natsUrl: broker.url });
await service.service.platform.bus.whenReady();
const connections = SOURCES.map(async (source) => {
  const { host, username, password } = new URL(broker.urlOf(source));
  return [source, await connect({ servers: host, user: username, pass: password })] as const;
});
const through = Object.fromEntries(await Promise.all(connections));
afterAll(async () => {
  for (const connection of Object.values(through)) await connection.close();
  await service.stop();
  await broker.stop();
});

describe('the live stream', () => {
  it('PAM-120 passes on the topics that are asked for, and shows no more of a device than a client may see', async () => {
    const all = await connected(
      new Client(aPartnerTechnician(partnerId), '?topics=elevations,devices,rules,merges&topics=providers'),
    );
    const usual = await connected(new Client(aPartnerTechnician(partnerId)));
    publish(DeviceChanged, {
      deviceId: newId(),
      partnerId,
      orgId,
      siteId: newId(),
      groupIds: [],
      hostname: 'host',
      status: 'online',
      agentTokenHash: 'secret',
      deleted: false,
      version: 1,
    });
    publish(RulebookChanged, { orgId, partnerId, version: 2 });
    const organization = { orgId, partnerId, name: 'Acme', status: 'merging' as const, deleted: false };
    publish(OrganizationChanged, { ...organization, mergedIntoId: null, version: 3 });
    publish(MergeProgressed, { jobId: newId(), partnerId, orgId, state: 'running', done: 1, total: 2 });
    publish(SsoProviderChanged, {
      providerId: newId(),
      partnerId,
      orgId: null,
      status: 'active',
      enforceSSO: false,
      deleted: false,
    });
    publish(ElevationRequested, elevation(newId(), 'pending'));
    await until(() => all.got.length === 6 && usual.got.length === 1);
    expect(all.names().sort()).toEqual([
      SsoProviderChanged.subject,
      ElevationRequested.subject,
      RulebookChanged.subject,
      DeviceChanged.subject,
      MergeProgressed.subject,
      OrganizationChanged.subject,
    ]);
    expect(JSON.stringify(all.got)).not.toContain('secret');
    expect(usual.names()).toEqual([ElevationRequested.subject]);
    await Promise.all([all.leave(), usual.leave()]);
  });

  it('PAM-120 tells users of an organisation that their whole partner was frozen, and no others', async () => {
    const own = await connected(new Client(technician(), '?topics=rules'));
    const one = await connected(new Client(aPartnerTechnician(partnerId), `?topics=rules&orgId=${orgId}`));
    const foreign = await connected(new Client(anOrgTechnician(newId(), newId()), '?topics=rules'));
    const freeze = { level: 'partner', targetId: partnerId, mode: 'hold', expiresAt: null, actorId: newId() } as const;
    publish(FreezeStarted, { freezeId: newId(), partnerId, orgId: null, siteId: null, ...freeze });
    await until(() => own.got.length === 1 && one.got.length === 1);
    expect([own.names(), one.names(), foreign.names()]).toEqual([[FreezeStarted.subject], [FreezeStarted.subject], []]);
    await Promise.all([own.leave(), one.leave(), foreign.leave()]);
  });

  it('PAM-120 refuses unknown topics, topics without their permission and organisations out of reach', async () => {
    const statusOf = (query: string, person = technician()): Promise<number> => new Client(person, query).connect();
    expect([
      await statusOf('?topics=everything'),
      await statusOf('?topic=devices'),
      await statusOf('?topics=providers', { ...technician(), permissions: ['devices:read'] }),
      await statusOf('', { ...technician(), permissions: ['organizations:read'] }),
      await statusOf('?topics=outcomes,elevations', { ...technician(), permissions: ['devices:execute'] }),
      await statusOf(`?orgId=${otherOrgId}`),
      await statusOf('?orgId=x'),
    ]).toEqual([400, 400, 403, 403, 403, 403, 400]);
  });

  describe('of outcomes', () => {
    it('PAM-223 tells a person without devices:read how their own request ended', async () => {
      const ann = requester();
      const client = await outcomesOf(ann);
      const { byMail, ...shown } = outcomeFor(ann.userId);
      publish(RequestOutcomeNotified, { ...shown, byMail });
      await until(() => client.got.length === 1);
      expect(client.names()).toEqual([RequestOutcomeNotified.subject]);
      expect(client.got[0]?.data.data).toEqual(shown);
      await client.leave();
    });

    it('PAM-223 tells nothing else: no outcome of another person, none out of reach, no other event', async () => {
      const [ann, bob] = [requester(), requester()];
      const admin = aPartnerTechnician(partnerId);
      const clients = [await outcomesOf(ann), await outcomesOf(admin)] as const;
      publish(RequestOutcomeNotified, outcomeFor(bob.userId));
      publish(RequestOutcomeNotified, outcomeFor(ann.userId, { orgId: otherOrgId, partnerId }));
      publish(RequestOutcomeNotified, outcomeFor(ann.userId, { orgId: newId(), partnerId: newId() }));
      publish(ElevationApproved, { ...elevation(newId(), 'approved'), requestedBy: ann.userId });
      const [own, last] = [ann, admin].map(({ userId }) => publish(RequestOutcomeNotified, outcomeFor(userId)));
      await until(() => clients.every(({ got }) => got.length > 0));
      await wait(200);
      expect(clients.map(({ got }) => got.map(({ data }) => data.id))).toEqual([[own], [last]]);
      await Promise.all(clients.map((client) => client.leave()));
    });

    it('PAM-223 begins with the own outcomes that were missed, and takes no position of another person', async () => {
      const [ann, bob] = [requester(), requester()];
      const client = await outcomesOf(ann);
      await client.leave();
      publish(RequestOutcomeNotified, outcomeFor(bob.userId));
      const missed = publish(RequestOutcomeNotified, outcomeFor(ann.userId));
      await wait(200);
      await connected(client);
      await until(() => client.got.length > 0);
      expect(client.got.map(({ data }) => data.id)).toEqual([missed]);
      await client.leave();
      const attacker = new Client(bob, '?topics=outcomes');
      attacker.position = missed;
      await connected(attacker);
      await until(() => attacker.got.length > 0);
      expect(attacker.names()).toEqual(['resync']);
      await attacker.leave();
    });

    const outcomeFor = (userId: string, place = { orgId, partnerId }) => ({
      ...place,
      userId,
      elevationRequestId: newId(),
      deviceHostname: 'PC-7',
      status: 'approved' as const,
      byMail: true,
    });
    const requester = (): Principal => ({ ...technician(), permissions: ['tools:request'] });
    const outcomesOf = (person: Principal) => connected(new Client(person, '?topics=outcomes'));
  });

  it('CAP-08 ends a stream of a revoked session that was opened by a request from before the revocation', async () => {
    const [ann, bob] = [technician(), technician()];
    const [before, other] = [await connected(new Client(ann)), await connected(new Client(bob))];
    publish(PrincipalsChanged, { sessionIds: [ann.sessionId ?? ''], userIds: [], apiKeyIds: [] });
    await until(() => before.isEnded);
    const late = await connected(new Client(ann));
    await until(() => late.isEnded);
    expect(other.isEnded).toBe(false);
    await other.leave();
  });

  it('PAM-120 narrows to one organisation', async () => {
    const client = await connected(new Client(aPartnerTechnician(partnerId), `?orgId=${orgId}`));
    publish(ElevationRequested, elevation(newId(), 'pending', otherOrgId));
    const own = publish(ElevationRequested, elevation(newId(), 'pending'));
    await until(() => client.got.length > 0);
    expect(client.got.map(({ data }) => data.id)).toEqual([own]);
    await client.leave();
  });

  it('PAM-121 begins with what the client missed, as far as the person may see it now', async () => {
    const ann = aPartnerTechnician(partnerId);
    const client = await connected(new Client(ann));
    await client.leave();
    const foreign = publish(ElevationRequested, elevation(newId(), 'pending', otherOrgId));
    const missed = publish(ElevationRequested, elevation(newId(), 'pending'));
    await wait(200);
    await connected(client);
    await until(() => client.got.length === 2);
    expect(client.got.map(({ data }) => data.id)).toEqual([foreign, missed]);
    await client.leave();
    const confined = new Client({ ...anOrgTechnician(partnerId, orgId), id: ann.id, userId: ann.userId });
    confined.position = foreign;
    await connected(confined);
    await until(() => confined.got.length > 0);
    expect(confined.names()).toEqual(['resync']);
    await confined.leave();
  });

  it.each([newId(), 'nonsense'])(
    'PAM-121 answers the unknown position %s with exactly one resync',
    async (position) => {
      const client = new Client(technician());
      client.position = position;
      await client.connect();
      await until(() => client.position !== position);
      publish(ElevationRequested, elevation(newId(), 'pending'));
      await until(() => client.got.length === 2);
      expect(client.names()).toEqual(['resync', ElevationRequested.subject]);
      await client.leave();
    },
  );

  it("PAM-121 leaves a client with the server's state after 100 disconnections during 5 000 events", async () => {
    const server = new Map<string, string>();
    const ids = Array.from({ length: REQUESTS }, () => newId());
    const known = new Map<string, string>();
    const client = new Client(technician(), '', ({ event, data }) => {
      if (event === 'resync') for (const [id, status] of server) known.set(id, status);
      else known.set(String(data.data['elevationRequestId']), String(data.data['status']));
    });
    await connected(client);
    let published = 0;
    const publishing = (async () => {
      while (published < EVENTS) {
        for (let at = 0; at < 10; at++, published++) {
          const id = ids[(published * 7) % REQUESTS] as string;
          const status = (published * 5) % 3 < 1 ? 'pending' : 'approved';
          server.set(id, status);
          publish(status === 'pending' ? ElevationRequested : ElevationApproved, elevation(id, status));
        }
        await wait(5);
      }
    })();
    for (let count = 0; count < DISCONNECTIONS; count++) {
      await wait((count * 7) % 20);
      await client.leave();
      await wait((count * 11) % 20);
      await client.connect();
    }
    await publishing;
    await until(() => [...server].every(([id, status]) => known.get(id) === status), 20);
    expect(new Map([...known].sort())).toEqual(new Map([...server].sort()));
    await client.leave();
  });

  const technician = (): Principal => anOrgTechnician(partnerId, orgId);
});

const DISCONNECTIONS = 100;
const EVENTS = 5_000;
const REQUESTS = 200;

const [partnerId, orgId, otherOrgId] = [newId(), newId(), newId()];

function publish<T extends object>({ subject }: EventType<T>, data: T): string {
  const [context = ''] = subject.split('.');
  const source = context === 'approval' ? 'pam' : context;
  const id = newId();
  const envelope = { id, subject, source, aggregateId: id, occurredAt: new Date().toISOString(), data };
  through[source]?.publish(subject, JSON.stringify(envelope));
  return id;
}

const elevation = (elevationRequestId: string, status: 'pending' | 'approved', org = orgId) => ({
  elevationRequestId,
  orgId: org,
  partnerId,
  siteId: newId(),
  deviceId: newId(),
  flowType: 'uac_intercept' as const,
  status,
  decisionSource: null,
});

interface Got {
  readonly event: string;
  readonly data: { readonly id: string; readonly data: Record<string, unknown> };
}

/** A client of the stream, which keeps its position as an EventSource does. */
class Client {
  readonly got: Got[] = [];
  position: string | undefined;
  /** Whether the server has ended the stream. */
  isEnded = false;
  private leaving = new AbortController();
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly person: Principal,
    private readonly query = '',
    private readonly onEvent: (got: Got) => void = () => undefined,
  ) {}

  async connect(): Promise<number> {
    this.leaving = new AbortController();
    const { url, headers } = await service.addressFor(this.person, `/events/stream${this.query}`);
    const answer = await fetch(url, {
      headers: { ...headers, ...(this.position !== undefined && { 'last-event-id': this.position }) },
      signal: this.leaving.signal,
    });
    if (answer.status === 200 && answer.body) this.reading = this.readAll(answer.body);
    return answer.status;
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    await this.reading;
  }

  names(): string[] {
    return this.got.map(({ event }) => event);
  }

  private readAll(body: ReadableStream<Uint8Array>): Promise<void> {
    this.isEnded = false;
    return this.read(body).then(
      () => void (this.isEnded = true),
      () => undefined,
    );
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    if (fields['id'] !== undefined) this.position = fields['id'];
    if (fields['data'] === undefined) return;
    const got = { event: fields['event'] ?? '', data: JSON.parse(fields['data']) as Got['data'] };
    this.got.push(got);
    this.onEvent(got);
  }
}

/** Connects, and waits until the stream has told its position. */
async function connected(client: Client): Promise<Client> {
  expect(await client.connect()).toBe(200);
  await until(() => client.position !== undefined);
  return client;
}
