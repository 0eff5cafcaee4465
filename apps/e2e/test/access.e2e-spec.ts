import { Api, type ApiAnswer } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ACCESS } from './access-table.ts';
import { makeTenant, startWorld, type Tenant, until, type World } from './world.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Row {
  readonly route: string;
  readonly method: Method;
  readonly path: string;
  readonly permission: string;
  readonly mfa: boolean;
  readonly levels: readonly string[];
}

const rows: Row[] = Object.entries(ACCESS).map(([route, access]) => {
  const [method = 'GET', path = ''] = route.split(' ');
  const [permission = '', ...rest] = access.split(' ');
  return { route, method: method as Method, path, permission, mfa: rest.includes('mfa'), levels: rest.find((word) => word !== 'mfa')?.split('|') ?? [] };
});
const ofUsers = rows.filter(({ permission }) => !['public', 'agent'].includes(permission));
/** Ending a session would end the one that the test goes on with. */
const harmless = ofUsers.filter(({ path }) => !path.startsWith('/auth/logout') && path !== '/events/stream');

describe('every route, through the gateway', () => {
  let world: World;
  let tenant: Tenant;
  let ids: Record<string, string>;
  /** Sessions by what they lack. */
  let callers: { withoutMfa: Api; viewer: Api; organization: Api; otherPartner: Api; apiKey: Api };

  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    const other = await makeTenant(world.admin);
    ids = await makeThings();
    callers = {
      withoutMfa: await invite({ scope: 'system' }, null),
      viewer: await invite({ scope: 'partner', partnerId: tenant.partnerId, orgAccess: 'all' }, 'Partner Viewer'),
      organization: await withSecondFactor(await invite({ scope: 'organization', orgId: tenant.orgId }, 'Organization Admin')),
      otherPartner: await withSecondFactor(await invite({ scope: 'partner', partnerId: other.partnerId, orgAccess: 'all' }, 'Partner Admin')),
      apiKey: world.admin.as((await world.admin.must<{ data: { key: string } }>('POST', '/api-keys', { name: 'matrix', permissions: ['*'] })).data.key),
    };
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  /** Real things of the tenant, by the beginning of the routes that name them. */
  async function makeThings(): Promise<Record<string, string>> {
    const { orgId } = tenant;
    const { rule } = await world.admin.must<{ rule: { id: string } }>('POST', '/pam/rules', { orgId, name: 'matrix', verdict: 'auto_deny', matchPathGlob: 'C:\\matrix\\**' });
    const { signerGroups } = await world.admin.must<{ signerGroups: { id: string }[] }>('POST', '/pam/signer-groups', { orgId, name: 'matrix', signers: ['Example Ltd'] });
    const { data: provider } = await world.admin.must<{ data: { id: string } }>('POST', '/sso/providers', { orgId, name: 'matrix', type: 'oidc' });
    const contact = await world.admin.must<{ id?: string; data?: { id: string } }>('POST', `/orgs/organizations/${orgId}/contacts`, { name: 'Mat Rix' });
    const report = { subject_username: 'ACME\\ada', target_executable_path: 'C:\\Tools\\matrix.exe', observed_at: new Date().toISOString() };
    const request = await new Api(world.product.baseUrl, tenant.agentToken).must<{ id: string }>('POST', `/agents/${tenant.deviceId}/elevation-requests`, report);
    return {
      '/orgs/partners': tenant.partnerId, '/orgs/organizations': orgId, '/orgs/sites': tenant.siteId, '/orgs/contacts': contact.id ?? contact.data?.id ?? '',
      '/devices': tenant.deviceId, '/pam/rules': rule.id, '/pam/signer-groups': signerGroups[0]?.id ?? '', '/sso/providers': provider.id, '/pam/elevation-requests': request.id,
    };
  }

  async function invite(membership: object, roleName: string | null): Promise<Api> {
    const axis = 'orgId' in membership ? 'organization' : 'partner';
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>('GET', `/roles?axis=${axis}`);
    const roleId = roles.find(({ name }) => name === (roleName ?? 'Partner Admin'))?.id;
    const email = `matrix-${randomUUID()}@example.test`;
    await world.admin.eventually('POST', '/users', { email, name: 'Matrix', membership: { ...membership, roleId } });
    const token = await until(() => world.invitationFor(email), 30);
    const { accessToken } = await world.admin.as('').must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password: `a long passphrase ${randomUUID()}` });
    return world.admin.as(accessToken);
  }

  async function withSecondFactor(api: Api): Promise<Api> {
    const { secret } = await api.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
    const { accessToken } = await api.must<{ accessToken: string }>('POST', '/auth/mfa/totp/confirm', { code: await Api.codeFor(secret) });
    return api.as(accessToken);
  }

  const idFor = (path: string): string => Object.entries(ids).find(([beginning]) => path.startsWith(`${beginning}/{`))?.[1] ?? randomUUID();

  const call = (api: Api, { method, path }: Row): Promise<ApiAnswer> =>
    api.call(method, path.replaceAll(/\{(\w+)\}/g, () => idFor(path)), method === 'GET' || method === 'DELETE' ? undefined : {});

  /** What each of the rows answered, where it is not what was expected. */
  async function unexpected(api: Api, over: readonly Row[], expected: (answer: ApiAnswer) => boolean): Promise<string[]> {
    const surprises: string[] = [];
    for (const row of over) {
      const answer = await call(api, row);
      if (!expected(answer)) surprises.push(`${row.route}: ${answer.status} ${String(answer.body['code'])}`);
    }
    return surprises;
  }

  it('answers 401 without a credential, and to one that is none', async () => {
    expect(await unexpected(new Api(world.product.baseUrl), rows.filter(({ permission }) => permission !== 'public'), ({ status, body }) => status === 401 && body['code'] === 'not_authenticated')).toEqual([]);
    expect(await unexpected(world.admin.as('not.a.token'), ofUsers, ({ status, body }) => status === 401 && body['code'] === 'token_invalid')).toEqual([]);
    expect(await unexpected(world.admin.as(tenant.agentToken), ofUsers, ({ status }) => status === 401)).toEqual([]);
  }, 60_000);

  it('answers 403 mfa_required to a session without a second factor, wherever one is asked (AUTH-19, AUTH-24)', async () => {
    const gated = ofUsers.filter(({ mfa, levels }) => mfa && (levels.length === 0 || levels.includes('system')));
    expect(gated.length).toBeGreaterThan(50);
    expect(await unexpected(callers.withoutMfa, gated, ({ status, body }) => status === 403 && body['code'] === 'mfa_required')).toEqual([]);
  }, 60_000);

  it('answers 403 mfa_required to an API key, wherever a second factor is asked (AUTH-24)', async () => {
    const gated = ofUsers.filter(({ mfa, levels, path }) => mfa && (levels.length === 0 || levels.includes('system')) && !path.startsWith('/auth') && !path.startsWith('/api-keys') && !path.startsWith('/sso/link'));
    expect(await unexpected(callers.apiKey, gated, ({ status, body }) => status === 403 && body['code'] === 'mfa_required')).toEqual([]);
  }, 60_000);

  it('answers 403 permission_denied to one who may only look', async () => {
    const writes = ofUsers.filter(({ permission, levels }) => /:(write|execute|request|export)$/.test(permission) && (levels.length === 0 || levels.includes('partner')));
    expect(writes.length).toBeGreaterThan(50);
    expect(await unexpected(callers.viewer, writes, ({ status, body }) => status === 403 && body['code'] === 'permission_denied')).toEqual([]);
  }, 60_000);

  it('answers 403 scope_denied to an organisation\'s own people on routes of partners and the system', async () => {
    const higher = ofUsers.filter(({ levels }) => levels.length > 0 && !levels.includes('organization'));
    expect(await unexpected(callers.organization, higher, ({ status, body }) => status === 403 && body['code'] === 'scope_denied')).toEqual([]);
  }, 60_000);

  it('gives another partner\'s administrator nothing of the tenant, and never fails over it', async () => {
    const named = harmless.filter(({ path }) => Object.keys(ids).some((beginning) => path.startsWith(`${beginning}/{`)));
    expect(named.length).toBeGreaterThan(20);
    expect(await unexpected(callers.otherPartner, named, ({ status }) => [400, 403, 404].includes(status))).toEqual([]);
    const lists = harmless.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    for (const { path } of lists) {
      const filtered = await callers.otherPartner.call('GET', `${path}?orgId=${tenant.orgId}&organizationId=${tenant.orgId}&partnerId=${tenant.partnerId}&siteId=${tenant.siteId}&deviceId=${tenant.deviceId}`).catch(() => null);
      expect({ path, status: filtered?.status ?? 200 }).toEqual({ path, status: expect.not.stringMatching(/^5/) });
      expect(JSON.stringify(filtered?.body ?? {})).not.toContain(ids['/pam/rules']);
      for (const secret of [ids['/pam/elevation-requests'], ids['/orgs/contacts'], ids['/sso/providers']]) expect(JSON.stringify(filtered?.body ?? {})).not.toContain(secret);
    }
  }, 60_000);

  it('answers a malformed id and an empty body with 4xx', async () => {
    for (const { method, path } of harmless.filter((row) => row.levels.length === 0 || row.levels.includes('system'))) {
      const answer = await world.admin.call(method, path.replaceAll(/\{\w+\}/g, 'not-an-id'), method === 'GET' || method === 'DELETE' ? undefined : { unknown: true }).catch(() => ({ status: 200, body: {} }));
      expect({ method, path, status: answer.status < 500 }).toEqual({ method, path, status: true });
    }
  }, 60_000);
});
