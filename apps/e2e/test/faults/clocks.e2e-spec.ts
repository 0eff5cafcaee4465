import { Api } from '@gatehouse/stack';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTenant, partnerAdministrator, sql, type Tenant, until } from '../world.ts';
import { type FaultWorld, metric, PROCESSES, startFaultWorld } from './fault-world.ts';
import { checkInvariants } from './invariants.ts';
import { Clients } from './load.ts';

const HOUR_MS = 60 * 60 * 1000;
const PRELOAD = fileURLToPath(new URL('skew.mjs', import.meta.url));
/** By then every service has looked at its clock's file. */
const NOTICED_MS = 500;

describe('R-36 the clock of one service is an hour wrong, from one moment to the next', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-clocks-'));
  const fileOf = (service: string): string => join(directory, service);
  let world: FaultWorld;
  let tenant: Tenant;
  let clients: Clients;
  let partner: Api;
  let startedAt = 0;

  const setClocks = async (services: readonly string[], skewMs: number): Promise<void> => {
    for (const service of services) writeFileSync(fileOf(service), String(skewMs));
    await pause(NOTICED_MS);
  };

  beforeAll(async () => {
    const clocks = PROCESSES.flatMap((service) => {
      const prefix = `${service.toUpperCase().replaceAll('-', '_')}__`;
      return [[`${prefix}NODE_OPTIONS`, `--import=${PRELOAD}`], [`${prefix}SKEW_FILE`, fileOf(service)]];
    });
    world = await startFaultWorld([], Object.fromEntries(clocks) as Record<string, string>);
    startedAt = Date.now();
    tenant = await makeTenant(world.admin);
    partner = await partnerAdministrator(world, tenant.partnerId);
    clients = new Clients(world, tenant);
    await clients.round();
  }, 180_000);
  afterEach(() => setClocks(PROCESSES, 0));
  afterAll(async () => {
    await world.stop();
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  const skewOf = (service: string): Promise<number> => metric(world, service, 'gatehouse_clock_skew_seconds');
  const faultsAt = (service: string): Promise<number> => metric(world, service, 'gatehouse_clock_faults_total');

  /** How many seconds from now, by the database's clock, a request's approval lasts. */
  async function approvalLasts(id: string): Promise<number> {
    const [row] = await sql<{ seconds: number }>(world, 'pam', 'SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM elevation_requests WHERE id = $1', [id]);
    return row?.seconds ?? 0;
  }

  it.each([['ahead', HOUR_MS], ['behind', -HOUR_MS]])('pam and pam-ingest %s: a request lives, is approved and expires by the clock of PostgreSQL', async (_, skewMs) => {
    const before = await clients.report();
    await setClocks(['pam', 'pam-ingest'], skewMs);
    const after = await clients.report();
    for (const id of [before, after]) {
      await clients.approve(id);
      expect(await approvalLasts(id)).toBeGreaterThan(14 * 60);
      expect(await approvalLasts(id)).toBeLessThanOrEqual(15 * 60);
    }
    const { requests } = await world.admin.must<{ requests: { id: string }[] }>('GET', `/pam/active?orgId=${tenant.orgId}`);
    expect(requests.map(({ id }) => id)).toEqual(expect.arrayContaining([before, after]));
    expect(Math.round((await skewOf('pam')) / 60)).toBe(skewMs / 60_000);
    await checkInvariants(world, tenant, clients);
  }, 60_000);

  it('an agent waits for commands as long as it said, although the clock jumps back meanwhile', async () => {
    const began = performance.now();
    const waiting = new Api(world.product.baseUrl, tenant.agentToken).call('GET', `/agents/${tenant.deviceId}/commands?waitSeconds=3`);
    await setClocks(['pam-ingest'], -HOUR_MS);
    expect((await waiting).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(10_000);
  }, 40_000);

  /** A colleague who has just come in, without a second factor. */
  async function aRefreshToken(): Promise<string> {
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
    const email = `colleague-${randomUUID()}@example.test`;
    const roleId = roles.find(({ name }) => name === 'Partner Viewer')?.id;
    await world.admin.must('POST', '/users', { email, name: 'Colleague', membership: { scope: 'partner', partnerId: tenant.partnerId, roleId, orgAccess: 'all' } });
    const token = await until(() => world.invitationFor(email));
    return (await world.admin.as('').must<{ refreshToken: string }>('POST', '/auth/accept-invite', { token, password: `a long passphrase ${randomUUID()}` })).refreshToken;
  }

  it.each([['ahead', HOUR_MS], ['behind', -HOUR_MS]])('identity %s: sessions and second factors last as before; what it signs is refused, and told', async (_, skewMs) => {
    const refreshToken = await aRefreshToken();
    const anonymous = new Api(world.product.baseUrl);
    const faults = await faultsAt('gateway');
    await setClocks(['identity'], skewMs);
    // Signed in before, with a second factor: both are still good, also when the gateway asks again.
    await pause(2_100);
    await partner.must('POST', '/orgs/sites', { orgId: tenant.orgId, name: `while identity is wrong ${skewMs}` });
    const { accessToken } = await anonymous.must<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken });
    const refused = await anonymous.as(accessToken).call('GET', '/auth/me');
    expect([refused.status, refused.body['code']]).toEqual(skewMs > 0 ? [503, 'unavailable'] : [401, 'token_expired']);
    if (skewMs > 0) expect(await faultsAt('gateway')).toBeGreaterThan(faults);
    expect(Math.round((await skewOf('identity')) / 60)).toBe(skewMs / 60_000);
    await setClocks(['identity'], 0);
    await checkInvariants(world, tenant, clients);
  }, 120_000);

  it('identity ahead: a sign-in that waits for its second factor goes on, and the code is judged by the right time', async () => {
    const { email, password, totpSecret } = world.product.administrator;
    const anonymous = new Api(world.product.baseUrl);
    const { mfaToken } = await anonymous.must<{ mfaToken: string }>('POST', '/auth/login', { email, password });
    // A code counts once, and this one may have opened the test's own session.
    const used = await Api.codeFor(totpSecret);
    const code = await until(async () => (Date.now() - startedAt > 30_000 || (await Api.codeFor(totpSecret)) !== used) && Api.codeFor(totpSecret), 35);
    await setClocks(['identity'], HOUR_MS);
    await anonymous.must('POST', '/auth/mfa/verify', { mfaToken, code, method: 'totp' });
  }, 60_000);

  // A service that nobody has called without a credential yet: the gateway uses its word for a caller for half a minute.
  it.each([['ahead', HOUR_MS, 'audit', '/audit-logs'], ['behind', -HOUR_MS, 'notifier', '/push-subscriptions']])('the gateway %s: no service believes it, each says so, and all is well when its clock is', async (_, skewMs, service, path) => {
    const faults = await faultsAt(service);
    await setClocks(['gateway'], skewMs);
    const answer = await new Api(world.product.baseUrl).call('GET', path);
    expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    expect(await faultsAt(service)).toBe(faults + 1);
    await setClocks(['gateway'], 0);
    await checkInvariants(world, tenant, clients);
  }, 60_000);

  it('a clock that is 30 s off disturbs nobody', async () => {
    for (const [service, skewMs] of [['gateway', 30_000], ['gateway', -30_000], ['identity', 30_000], ['tenancy', -30_000]] as const) {
      await setClocks([service], skewMs);
      clients.answers = [];
      await clients.round();
      expect(clients.answers.filter(({ status }) => status >= 300)).toEqual([]);
      await setClocks([service], 0);
    }
    await checkInvariants(world, tenant, clients);
  }, 60_000);
});
