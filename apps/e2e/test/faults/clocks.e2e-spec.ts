import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { Api } from '@gatehouse/stack';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { importJWK, type JWK, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTenant, partnerAdministrator, sql, type Tenant, until } from '../world.ts';
import { type FaultWorld, metric, startFaultWorld } from './fault-world.ts';
import { checkInvariants } from './invariants.ts';
import { Clients } from './load.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Within the clock tolerance of one minute for tokens. */
const BEARABLE_MS = 50_000;

describe('R-36 the clock of one service is wrong from one moment to the next', () => {
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  let partner: Api;
  let startedAt = 0;

  beforeAll(async () => {
    const clocks = SERVICE_NAMES.flatMap((service) => {
      const prefix = `${service.toUpperCase().replaceAll('-', '_')}__`;
      return [
        [`${prefix}NODE_OPTIONS`, `--import=${PRELOAD}`],
        [`${prefix}SKEW_FILE`, fileOf(service)],
      ];
    });
    world = await startFaultWorld([], Object.fromEntries(clocks) as Record<string, string>);
    startedAt = Date.now();
    tenant = await makeTenant(world.admin);
    partner = await partnerAdministrator(world, tenant.partnerId);
    clients = new Clients(world, tenant);
    await clients.round();
  });
  afterEach(() => setClocks(SERVICE_NAMES, 0));
  afterAll(async () => {
    await world.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['ahead', BEARABLE_MS],
    ['behind', -BEARABLE_MS],
  ])(
    'pam and pam-ingest 50 s %s: a request lives, is approved and expires by the clock of PostgreSQL',
    async (_, skewMs) => {
      const before = await clients.report();
      await setClocks(['pam', 'pam-ingest'], skewMs);
      const after = await clients.report();
      for (const id of [before, after]) {
        await clients.approve(id);
        expect(await approvalLasts(id)).toBeGreaterThan(15 * 60 - 20);
        expect(await approvalLasts(id)).toBeLessThanOrEqual(15 * 60);
      }
      const { active } = await world.admin.must<{ active: { id: string }[] }>('GET', '/pam/active');
      expect(active.map(({ id }) => id)).toEqual(expect.arrayContaining([before, after]));
      expect(Math.abs((await skewOf('pam')) - skewMs / 1000)).toBeLessThan(5);
      await checkInvariants(world, tenant, clients);
    },
  );

  it('an agent waits for commands as long as it said, although the clock jumps back while it waits', async () => {
    const spent = stopwatch();
    const waiting = new Api(world.product.baseUrl, tenant.agentToken).call(
      'GET',
      `/agents/${tenant.deviceId}/commands?waitSeconds=3`,
    );
    await setClocks(['pam-ingest'], -HOUR_MS);
    expect((await waiting).status).toBe(200);
    expect(spent()).toBeLessThan(10_000);
  });

  /** The refresh token of a user who has just signed in without a second factor. */
  async function aRefreshToken(): Promise<string> {
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>(
      'GET',
      '/roles?axis=partner',
    );
    const email = `colleague-${randomUUID()}@example.test`;
    const roleId = roles.find(({ name }) => name === 'Partner Viewer')?.id;
    await world.admin.must('POST', '/users', {
      email,
      name: 'Colleague',
      membership: { scope: 'partner', partnerId: tenant.partnerId, roleId, orgAccess: 'all' },
    });
    const token = await until(() => world.invitationFor(email));
    return (
      await world.admin.as('').must<{ refreshToken: string }>('POST', '/auth/accept-invite', {
        token,
        password: `a long passphrase ${randomUUID()}`,
      })
    ).refreshToken;
  }

  it.each([
    ['ahead', BEARABLE_MS],
    ['behind', -BEARABLE_MS],
  ])('identity 50 s %s: sessions, second factors and what it signs are as good as ever', async (_, skewMs) => {
    const refreshToken = await aRefreshToken();
    const anonymous = new Api(world.product.baseUrl);
    await setClocks(['identity'], skewMs);
    // The gateway repeats the introspection of a session after two seconds.
    await pause(2_100);
    await partner.must('POST', '/orgs/sites', { orgId: tenant.orgId, name: `while identity is wrong by ${skewMs}` });
    const { accessToken } = await anonymous.must<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken });
    await anonymous.as(accessToken).must('GET', '/auth/me');
    await checkInvariants(world, tenant, clients);
  });

  it('identity 50 s ahead: a sign-in that waits for its second factor goes on, and the code is judged by the right time', async () => {
    const { email, password, totpSecret } = world.product.administrator;
    const anonymous = new Api(world.product.baseUrl);
    const { mfaToken } = await anonymous.must<{ mfaToken: string }>('POST', '/auth/login', { email, password });
    // A code is valid once, and this one may have opened the test's own session.
    const used = await Api.codeFor(totpSecret);
    const code = await until(
      async () =>
        (Date.now() - startedAt > 30_000 || (await Api.codeFor(totpSecret)) !== used) && Api.codeFor(totpSecret),
      35,
    );
    await setClocks(['identity'], BEARABLE_MS);
    await anonymous.must('POST', '/auth/mfa/verify', { mfaToken, code, method: 'totp' });
  });

  it('identity an hour ahead: the gateway refuses what it signs, and says so', async () => {
    const refreshToken = await aRefreshToken();
    const faults = await faultsAt('gateway');
    await setClocks(['identity'], HOUR_MS);
    const { url } = world.product.endpoints.services['identity'] ?? { url: '' };
    const signed = await fetch(`${url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [IDENTITY_HEADER]: await wordOfTheGateway('identity', HOUR_MS) },
      body: JSON.stringify({ refreshToken }),
    });
    const { accessToken } = (await signed.json()) as { accessToken: string };
    const refused = await new Api(world.product.baseUrl, accessToken).call('GET', '/auth/me');
    expect([refused.status, refused.body['code']]).toEqual([503, 'unavailable']);
    expect(await faultsAt('gateway')).toBeGreaterThan(faults);
    expect(Math.round((await skewOf('identity')) / 60)).toBe(60);
    await setClocks(['identity'], 0);
    await checkInvariants(world, tenant, clients);
  });

  // Uses a service that has not yet received an anonymous request: the gateway reuses its internal identity for an
  // anonymous caller for half a minute.
  it.each([
    ['ahead', HOUR_MS, 'audit', '/audit-logs'],
    ['behind', -HOUR_MS, 'notifier', '/push-subscriptions'],
  ])(
    'the gateway an hour %s: no service believes it, each says so, and all is well when its clock is',
    async (_, skewMs, service, path) => {
      const faults = await faultsAt(service);
      await setClocks(['gateway'], skewMs);
      const answer = await new Api(world.product.baseUrl).call('GET', path);
      expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '5',
      ]);
      expect(await faultsAt(service)).toBe(faults + 1);
      await setClocks(['gateway'], 0);
      await checkInvariants(world, tenant, clients);
    },
  );

  it.each([
    ['gateway', BEARABLE_MS],
    ['gateway', -BEARABLE_MS],
    ['tenancy', BEARABLE_MS],
    ['audit', -BEARABLE_MS],
  ])('the clock of %s %i ms off disturbs no caller', async (service, skewMs) => {
    await setClocks([service], skewMs);
    clients.answers = [];
    await clients.round();
    expect(clients.answers.filter(({ status }) => status >= 300)).toEqual([]);
    await setClocks([service], 0);
    await checkInvariants(world, tenant, clients);
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-clocks-'));
  const fileOf = (service: string): string => join(directory, service);

  const setClocks = async (services: readonly string[], skewMs: number): Promise<void> => {
    for (const service of services) writeFileSync(fileOf(service), String(skewMs));
    await pause(NOTICED_MS);
  };

  const skewOf = (service: string): Promise<number> => metric(world, service, 'gatehouse_clock_skew_seconds');
  const faultsAt = (service: string): Promise<number> => metric(world, service, 'gatehouse_clock_faults_total');

  /** The internal identity that the gateway would send for an anonymous caller if its clock were off by `skewMs`. */
  async function wordOfTheGateway(audience: string, skewMs: number): Promise<string> {
    const jwk = JSON.parse(world.product.internalIdentityKey) as JWK;
    const issuedAt = Math.floor((Date.now() + skewMs) / 1000);
    return new SignJWT({ principal: null, ip: null, service: null })
      .setProtectedHeader({ alg: 'ES256', typ: 'gatehouse-internal+jwt', kid: jwk.kid ?? '' })
      .setIssuer('gatehouse-gateway')
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 60)
      .sign(await importJWK(jwk, 'ES256'));
  }

  /** The remaining seconds of a request's approval, by the database's clock. */
  async function approvalLasts(id: string): Promise<number> {
    const [row] = await sql<{ seconds: number }>(
      world,
      'pam',
      'SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM elevation_requests WHERE id = $1',
      [id],
    );
    return row?.seconds ?? 0;
  }
});

const IDENTITY_HEADER = 'x-gatehouse-identity';
const PRELOAD = fileURLToPath(new URL('skew.mjs', import.meta.url));
/** The time within which every service reads its clock file. */
const NOTICED_MS = 500;
