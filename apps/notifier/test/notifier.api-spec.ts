import {
  ApprovalPushRequested,
  ApprovalSettled,
  ElevationApproved,
  PushReachChanged,
  RequestOutcomeNotified,
} from '@gatehouse/contracts-pam';
import type { Principal } from '@gatehouse/contracts-core';
import { SsoProviderChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { undeclaredTables } from '@gatehouse/tenant-data';
import {
  anOrgTechnician,
  aPartnerTechnician,
  startFakeDns,
  startTestBroker,
  TestService,
  until,
} from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createECDH, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'nats';
import { DEFAULT_TOPICS } from '../src/live-events/live-topics.ts';
import { type Listener, LiveFeed } from '../src/live-events/live-feed.ts';
import { notifierService } from '../src/service.ts';
import { notifierTenantData } from '../src/tenants/notifier-tenant-data.ts';

const partnerId = newId();
const orgId = newId();
let received: Received[] = [];
let statuses: number[] = [];
let retryAfter = '0';

const listener = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(statuses.shift() ?? 201, { 'retry-after': retryAfter }).end();
    });
});
await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
const address = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
const broker = await startTestBroker();
const dns = await startFakeDns({
  'inside.example': { A: ['10.1.2.3'] },
  'both.example': { A: ['93.184.216.34', '127.0.0.1'] },
  'empty.example': {},
});
const service = await TestService.start(notifierService, {
  natsUrl: broker.url,
  env: { EGRESS_ALLOW_HOSTS: address, EGRESS_ALLOW_HTTP: 'true', DNS_SERVERS: dns.address },
});
afterAll(async () => {
  await service.stop();
  await dns.stop();
  await broker.stop();
  listener.close();
});
beforeEach(() => {
  received = [];
  statuses = [];
  retryAfter = '0';
});

const push = (userId: string) => ({
  approvalId: newId(),
  userId,
  orgId,
  partnerId,
  siteId: null,
  title: 'An approval waits for you',
  expiresAt: new Date(Date.now() + 900_000).toISOString(),
});

describe('push subscriptions', () => {
  it('exist only for the person who made them', async () => {
    const [ada, bob] = [aPartnerTechnician(partnerId), aPartnerTechnician(partnerId)];
    const { id, secret } = await subscribe(ada, 'own');
    expect(secret).toHaveLength(43);
    expect((await service.as(ada).get('/push-subscriptions')).body.data).toEqual([
      expect.objectContaining({ id, kind: 'webhook' }),
    ]);
    expect((await service.as(ada).get('/push-subscriptions')).text).not.toContain(secret);
    expect((await service.as(bob).get('/push-subscriptions')).body.data).toEqual([]);
    expect((await service.as(bob).delete(`/push-subscriptions/${id}`)).body).toMatchObject({
      status: 404,
      code: 'push_subscription_not_found',
    });
    expect((await service.as(null).get('/push-subscriptions')).status).toBe(401);
    expect((await service.as(ada).delete(`/push-subscriptions/${id}`)).body).toEqual({ success: true });
    expect(await service.audits('push_subscription.delete')).toHaveLength(1);
  });

  it("are the person's in every membership, and count once", async () => {
    const ada = aPartnerTechnician(partnerId);
    const elsewhere = { ...anOrgTechnician(newId(), newId()), userId: ada.userId };
    const { id } = await subscribe(ada, 'everywhere');
    expect((await service.as(elsewhere).get('/push-subscriptions')).body.data).toEqual([
      expect.objectContaining({ id }),
    ]);
    await subscribe(elsewhere, 'everywhere\n');
    const [only, ...others] = (await service.as(ada).get('/push-subscriptions')).body.data;
    expect(others).toEqual([]);
    await service.deliver(ApprovalPushRequested, push(ada.userId));
    await until(() => received.length === 1);
    expect((await service.as(elsewhere).delete(`/push-subscriptions/${only.id}`)).status).toBe(200);
    expect((await service.as(ada).get('/push-subscriptions')).body.data).toEqual([]);
  });

  it('of a session that a provider opened stay in its tenant, and it reaches no others (ATK-05h, IDY-97)', async () => {
    const ada = aPartnerTechnician(partnerId);
    const own = await subscribe(ada, 'own');
    const confined = { ...anOrgTechnician(partnerId, orgId), userId: ada.userId, confined: true };
    const made = await subscribe(confined, 'confined');
    const idsOf = async (by: Principal) =>
      (await service.as(by).get('/push-subscriptions')).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(confined)).toEqual([made.id]);
    const key = { ...confined, kind: 'api_key' as const, sessionId: null };
    const byKey = service
      .as(key)
      .post('/push-subscriptions')
      .send({ kind: 'webhook', endpoint: `http://${address}/key` });
    expect((await byKey).body).toMatchObject({ status: 403, code: 'permission_denied' });
    const strangers = [confined, key, { ...anOrgTechnician(partnerId, newId()), userId: ada.userId, confined: true }];
    for (const stranger of strangers) {
      const refused = [
        await service.as(stranger).post(`/push-subscriptions/${own.id}/test`),
        await service.as(stranger).delete(`/push-subscriptions/${own.id}`),
      ];
      expect(refused.map(({ body }) => body.code)).toEqual(Array(2).fill('push_subscription_not_found'));
    }
    expect(received).toEqual([]);
    await subscribe(confined, 'own');
    expect(await idsOf(ada)).toEqual(expect.arrayContaining([own.id, made.id]));
    const elsewhere = { ...push(ada.userId), orgId: newId() };
    await service.deliver(ApprovalPushRequested, elsewhere);
    await until(() => received.length > 0);
    await service.deliver(ApprovalPushRequested, push(ada.userId));
    await until(() => received.length > 2);
    expect(received.map(({ path }) => path).toSorted()).toEqual(['/confined', '/own', '/own']);
    const queued = `SELECT FROM push_deliveries d JOIN push_subscriptions s ON s.id = d.subscription_id WHERE s.user_id = $1`;
    expect(await service.sql(queued, [ada.userId])).toHaveLength(3);
    for (const id of await idsOf(confined)) await service.as(ada).delete(`/push-subscriptions/${id}`).expect(200);
    expect(await idsOf(ada)).toEqual([own.id]);
  });

  it('of an organisation take no places of the person’s own', async () => {
    const ada = aPartnerTechnician(partnerId);
    const confined = { ...anOrgTechnician(partnerId, orgId), userId: ada.userId, confined: true };
    for (let at = 1; at <= 20; at++) await subscribe(confined, `place-${at}`);
    const more = { kind: 'webhook', endpoint: `http://${address}/place-21` };
    expect((await service.as(confined).post('/push-subscriptions').send(more)).status).toBe(400);
    await subscribe(ada, 'place-21');
  });

  it('tell the other services whether a push can reach the person', async () => {
    const ada = aPartnerTechnician(partnerId);
    const { id } = await subscribe(ada, 'reach');
    await service.as(ada).delete(`/push-subscriptions/${id}`);
    const reach = (await service.emitted(PushReachChanged))
      .map(({ data }) => data)
      .filter(({ userId }) => userId === ada.userId);
    expect(reach).toEqual([
      { userId: ada.userId, subscriptions: 1, version: 1 },
      { userId: ada.userId, subscriptions: 0, version: 2 },
    ]);
  });

  it('ATK-30: refuse a name that leads inside and one that does not resolve with the same answer', async () => {
    const answers = await Promise.all(
      ['inside.example', 'both.example', 'empty.example', 'unknown.example', 'localhost'].map(async (host) => {
        const { status, body } = await service
          .as(aPartnerTechnician(partnerId))
          .post('/push-subscriptions')
          .send({ kind: 'webhook', endpoint: `https://${host}/hook` });
        return { status, ...body, requestId: null };
      }),
    );
    expect(dns.asked).toEqual(expect.arrayContaining(['inside.example', 'unknown.example']));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: 'endpoint' }] });
  });

  it.each([
    ['https://127.0.0.1/x'],
    ['http://example.com/x'],
    ['https://localhost/x'],
    ['https://[::1]/x'],
    ['https://2130706433/x'],
    ['ftp://example.com'],
    ['not a url'],
    ['https://user:pw@example.com/x'],
  ])('refuse the endpoint %s', async (endpoint) => {
    const answer = await service
      .as(aPartnerTechnician(partnerId))
      .post('/push-subscriptions')
      .send({ kind: 'webhook', endpoint });
    expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: 'endpoint' }] });
  });

  it('show their label and what became of the newest push, and can be tried (IDY-61)', async () => {
    const owner = aPartnerTechnician(partnerId);
    const made = await service
      .as(owner)
      .post('/push-subscriptions')
      .send({ kind: 'webhook', endpoint: `http://${address}/labelled`, label: 'Phone of Ada' });
    const { id, secret } = made.body.data as { id: string; secret: string };
    expect(made.body.data).toMatchObject({ label: 'Phone of Ada', lastDeliveredAt: null, lastFailure: null });
    const test = (by = owner, of = id) => service.as(by).post(`/push-subscriptions/${of}/test`);
    const tried = await test();
    expect([tried.status, tried.body.data]).toEqual([
      200,
      expect.objectContaining({ id, label: 'Phone of Ada', lastDeliveredAt: expect.any(String), lastFailure: null }),
    ]);
    const [{ headers, body }] = received as [Received];
    const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-gatehouse-signature'])) ?? [];
    expect(mac).toBe(
      createHmac('sha256', secret)
        .update(`${at}.${String(body)}`)
        .digest('hex'),
    );
    expect(JSON.parse(String(body))).toEqual({ test: true, title: expect.any(String) });
    const reasons = [];
    for (const status of [403, 400, 503]) {
      statuses = [status];
      reasons.push((await test()).body.data.lastFailure.reason);
    }
    expect(reasons).toEqual(['refused', 'refused', 'error']);
    const repeated = [await test().set('Idempotency-Key', 'once'), await test().set('Idempotency-Key', 'once')];
    expect([repeated[1]?.body, received.length]).toEqual([repeated[0]?.body, 5]);
    expect((await service.as(owner).get('/push-subscriptions')).body.data).toEqual([repeated[0]?.body.data]);
    expect((await test(aPartnerTechnician(partnerId))).body.code).toBe('push_subscription_not_found');
    expect((await test(owner, newId())).body.code).toBe('push_subscription_not_found');
    const further = [];
    for (let n = 0; n < 6; n++) further.push((await test()).status);
    expect(further).toEqual([...Array<number>(5).fill(200), 429]);
    const lastFailure = async () =>
      (
        (await service.as(owner).get('/push-subscriptions')).body.data as {
          lastFailure: { reason: string; at: string };
        }[]
      )[0]?.lastFailure;
    const before = (await lastFailure())?.at;
    statuses = [500];
    await service.deliver(ApprovalPushRequested, push(owner.userId));
    await until(async () => (await lastFailure())?.at !== before);
    expect((await lastFailure())?.reason).toBe('error');
    // The push that failed is sent again; it must not arrive during another test.
    await until(() => received.length === 12);
  });

  it.each([404, 410])('PAM-352 end when their endpoint answers a test with %i', async (status) => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, `gone-${status}`);
    const [{ id }] = (await service.as(ada).get('/push-subscriptions')).body.data as [{ id: string }];
    statuses = [status];
    const tried = await service.as(ada).post(`/push-subscriptions/${id}/test`);
    expect([tried.status, tried.body.data.lastFailure.reason]).toEqual([200, 'gone']);
    expect((await service.as(ada).get('/push-subscriptions')).body.data).toEqual([]);
    expect((await service.as(ada).post(`/push-subscriptions/${id}/test`)).body.code).toBe(
      'push_subscription_not_found',
    );
    const reach = (await service.emitted(PushReachChanged)).filter(({ data }) => data.userId === ada.userId);
    expect(reach.at(-1)?.data).toMatchObject({ subscriptions: 0 });
  });

  it('need keys for Web Push', async () => {
    const answer = await service
      .as(aPartnerTechnician(partnerId))
      .post('/push-subscriptions')
      .send({ kind: 'webpush', endpoint: `http://${address}/push` });
    expect(answer.body).toMatchObject({ status: 400, issues: [{ path: 'keys' }] });
  });
});

describe('the tables', () => {
  it('each say what a merge or purge does with them', async () => {
    expect(await undeclaredTables(notifierTenantData, (text) => service.sql(text))).toEqual([]);
  });
});

describe('deliveries', () => {
  it('reach a webhook signed, and hold the approval id and a neutral title only', async () => {
    const ada = aPartnerTechnician(partnerId);
    const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
    const { secret } = (
      await service
        .as(ada)
        .post('/push-subscriptions')
        .send({ kind: 'webhook', endpoint: `http://${address}/signed`, keys })
        .expect(201)
    ).body.data;
    const asked = push(ada.userId);
    await service.deliver(ApprovalPushRequested, asked);
    await until(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    expect(JSON.parse(body.toString())).toEqual({ approvalId: asked.approvalId, title: asked.title });
    const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-gatehouse-signature'])) ?? [];
    expect(mac).toBe(createHmac('sha256', secret).update(`${at}.${body.toString()}`).digest('hex'));
  });

  it('PAM-223 tell people how each of their requests ended, every time', async () => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, 'outcomes');
    const elevationRequestId = newId();
    const place = { userId: ada.userId, orgId, partnerId, deviceHostname: 'PC-7', byMail: false };
    for (const status of ['approved', 'revoked'] as const)
      await service.deliver(RequestOutcomeNotified, { ...place, elevationRequestId, status });
    const bodies = () => received.filter(({ path }) => path === '/outcomes').map(({ body }) => body.toString());
    await until(() => bodies().length === 2);
    expect(bodies().toSorted()).toEqual(
      ['Your request was approved', 'Your request was revoked'].map((title) =>
        JSON.stringify({ elevationRequestId, title }),
      ),
    );
  });

  it('happen once for an event that is delivered twice', async () => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, 'once');
    const asked = push(ada.userId);
    await service.deliver(ApprovalPushRequested, asked);
    await service.deliver(ApprovalPushRequested, asked);
    await until(() => received.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(received).toHaveLength(1);
  });

  it('are tried again after an error, and a subscription that is gone is removed', async () => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, 'flaky');
    statuses = [500, 410];
    await service.deliver(ApprovalPushRequested, push(ada.userId));
    await until(() => received.length === 2);
    await until(async () => (await service.as(ada).get('/push-subscriptions')).body.data.length === 0);
    expect(
      (await service.emitted(PushReachChanged))
        .map(({ data }) => data)
        .filter(({ userId }) => userId === ada.userId)
        .at(-1),
    ).toMatchObject({ subscriptions: 0 });
  });

  it.each([
    [400, 1],
    [413, 1],
    [408, 2],
    [425, 2],
    [429, 2],
  ])('answered %i are sent %i times in all', async (status, times) => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, `refused-${status}`);
    statuses = [status];
    await service.deliver(ApprovalPushRequested, push(ada.userId));
    const mine = (): Promise<{ attempts: number; open: boolean }[]> =>
      service.sql(
        `SELECT d.attempts, d.delivered_at IS NULL AND d.next_attempt_at < 'infinity' AS open FROM push_deliveries d
          JOIN push_subscriptions s ON s.id = d.subscription_id WHERE s.user_id = $1`,
        [ada.userId],
      );
    await until(async () => (await mine()).every(({ attempts, open }) => attempts > 0 && !open));
    expect([received.length, await mine()]).toEqual([times, [{ attempts: times, open: false }]]);
  });

  it.each([429, 503])('answered %i wait as long as `Retry-After` asks for', async (status) => {
    const ada = aPartnerTechnician(partnerId);
    await subscribe(ada, `busy-${status}`);
    statuses = [status];
    retryAfter = '600';
    await service.deliver(ApprovalPushRequested, push(ada.userId));
    const waits = `SELECT next_attempt_at > now() + interval '500 seconds' AS waits FROM push_deliveries d
      JOIN push_subscriptions s ON s.id = d.subscription_id WHERE s.user_id = $1 AND last_error IS NOT NULL`;
    await until(async () => (await service.sql(waits, [ada.userId])).length > 0);
    expect(await service.sql(waits, [ada.userId])).toEqual([{ waits: true }]);
  });

  it('reach a browser encrypted, under the published VAPID key', async () => {
    const ada = aPartnerTechnician(partnerId);
    const browser = createECDH('prime256v1');
    const keys = { p256dh: browser.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
    await service
      .as(ada)
      .post('/push-subscriptions')
      .send({ kind: 'webpush', endpoint: `http://${address}/push`, keys })
      .expect(201);
    const { publicKey } = (await service.as(ada).get('/push-subscriptions/vapid-key')).body.data;
    const asked = push(ada.userId);
    await service.deliver(ApprovalPushRequested, asked);
    await until(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    expect(headers['authorization']).toContain(`k=${publicKey}`);
    expect(headers['content-encoding']).toBe('aes128gcm');
    expect(body.toString('latin1')).not.toContain(asked.approvalId);
  });
});

describe('the live stream', () => {
  it('passes on what is in the reach of the caller, and nothing else', async () => {
    const frames = { near: [] as string[], far: [] as string[], elsewhere: [] as string[] };
    join(anOrgTechnician(partnerId, orgId), frames.near);
    const far = anOrgTechnician(partnerId, orgId, { sites: [newId()] });
    join(far, frames.far);
    join(aPartnerTechnician(newId()), frames.elsewhere);
    const own = {
      approvalId: newId(),
      elevationRequestId: newId(),
      userId: far.userId,
      orgId,
      partnerId,
      siteId: null,
      status: 'expired',
    };
    const through = await connection();
    const tell = telling(through);
    tell(ElevationApproved.subject, approved());
    tell(ApprovalSettled.subject, own);
    await through.drain();
    await until(() => frames.near.length > 1 && frames.far.length > 1);
    expect(frames).toEqual({
      near: [POSITION, expect.stringContaining(`event: ${ElevationApproved.subject}\ndata: {`)],
      far: [POSITION, expect.stringContaining(own.approvalId)],
      elsewhere: [POSITION],
    });
  });

  it('of one organisation gets nothing that belongs to the partner itself', async () => {
    const frames: string[] = [];
    join(aPartnerTechnician(partnerId), frames, undefined, { topics: ['providers'], orgId });
    const through = await connection('identity');
    for (const owner of [null, orgId]) telling(through)(SsoProviderChanged.subject, { partnerId, orgId: owner });
    await through.drain();
    await until(() => frames.length > 1);
    expect(frames).toEqual([POSITION, expect.stringContaining(`"orgId":"${orgId}"`)]);
  });

  it('ends when the broker was away, whose revocations may have been missed, and is open to a client that returns', async () => {
    const technician = anOrgTechnician(partnerId, orgId);
    const { url, headers } = await service.addressFor(technician, '/events/stream');
    const open = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    const heard: string[] = [];
    const close = jest.fn(() => undefined);
    join(technician, heard, close);
    await broker.kill();
    await broker.start();
    expect(await open.text()).toContain(': connected');
    expect(close).toHaveBeenCalledTimes(1);
    const again = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    const through = await connection();
    telling(through)(ElevationApproved.subject, approved());
    await through.drain();
    const reader = again.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(ElevationApproved.subject)) text += (await reader?.read())?.value ?? '';
    expect(heard).toEqual([POSITION]);
    await reader?.cancel();
  });

  const POSITION = expect.stringMatching(/^id: \S+\n\n$/);
  const join = (caller: Principal, into: string[], close: () => void = () => undefined, own: Partial<Listener> = {}) =>
    service.service.app.get(LiveFeed).join({
      caller: {
        ...caller,
        confined: false,
        permissions: new Set(caller.permissions),
        scope: {
          partner: caller.partnerId,
          orgs: 'all',
          sites: caller.sites === 'all' ? 'all' : new Set(caller.sites),
        },
        origin: { ip: null, userAgent: null, requestId: null },
      },
      topics: DEFAULT_TOPICS,
      send: (frame) => into.push(frame),
      close,
      ...own,
    });
  const connection = (of: 'identity' | 'pam' = 'pam') => {
    const { host, username, password } = new URL(broker.urlOf(of));
    return connect({ servers: host, user: username, pass: password });
  };
  const telling =
    (through: Awaited<ReturnType<typeof connection>>) =>
    (subject: string, data: object): void =>
      through.publish(
        subject,
        JSON.stringify({
          id: newId(),
          subject,
          occurredAt: new Date().toISOString(),
          source: subject.startsWith('identity.') ? 'identity' : 'pam',
          data,
        }),
      );
  const approved = () => ({
    elevationRequestId: newId(),
    orgId,
    partnerId,
    siteId: newId(),
    deviceId: newId(),
    flowType: 'uac_intercept',
    status: 'approved',
    decisionSource: 'human',
  });
});

interface Received {
  readonly path: string;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}
const subscribe = async (technician: Principal, path: string): Promise<{ id: string; secret: string }> =>
  (
    await service
      .as(technician)
      .post('/push-subscriptions')
      .send({ kind: 'webhook', endpoint: `http://${address}/${path}` })
      .expect(201)
  ).body.data;
