import { Api, type ApiAnswer } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ACCESS } from './access-table.ts';
import { membersFor, takenBy } from './known-members.ts';
import { tenantThings, visitOf } from './tenant-things.ts';
import { makeOrganization, makeTenant, sql, startWorld, type Tenant, until, type World } from './world.ts';

/** Things that are pinned to the site. */
const OF_ONE_SITE = [
  '/orgs/sites',
  '/orgs/contacts',
  '/devices',
  '/enrollment-keys',
  '/pam/elevation-requests',
  '/pam/tool-actions',
  '/approvals',
  '/pam/freezes',
  '/audit-logs',
];

describe('every route, through the gateway', () => {
  let world: World;
  let tenant: Tenant;
  let ids: Record<string, string>;
  /** One session for each kind of missing authority. */
  let callers: {
    withoutMfa: Api;
    viewer: Api;
    organization: Api;
    otherPartner: Api;
    otherOrganization: Api;
    otherSelection: Api;
    otherSites: Api;
    otherPartnersSite: Api;
    apiKey: Api;
  };

  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    const other = await makeTenant(world.admin);
    ids = await tenantThings(world, tenant);
    const [otherOrg, otherSite] = [
      await makeOrganization(world.admin, tenant.partnerId, `other-${randomUUID().slice(0, 8)}`),
      await world.admin.must<{ id: string }>('POST', '/orgs/sites', { orgId: tenant.orgId, name: 'Other' }),
    ];
    callers = {
      withoutMfa: await invite({ scope: 'system' }, null),
      viewer: await invite({ scope: 'partner', partnerId: tenant.partnerId, orgAccess: 'all' }, 'Partner Viewer'),
      organization: await withSecondFactor(
        await invite({ scope: 'organization', orgId: tenant.orgId }, 'Organization Admin'),
      ),
      otherPartner: await withSecondFactor(
        await invite({ scope: 'partner', partnerId: other.partnerId, orgAccess: 'all' }, 'Partner Admin'),
      ),
      otherOrganization: await withSecondFactor(
        await invite({ scope: 'organization', orgId: otherOrg.orgId }, 'Organization Admin'),
      ),
      otherSelection: await withSecondFactor(
        await invite(
          { scope: 'partner', partnerId: tenant.partnerId, orgAccess: 'selected', orgIds: [otherOrg.orgId] },
          'Partner Admin',
        ),
      ),
      otherSites: await withSecondFactor(
        await invite({ scope: 'organization', orgId: tenant.orgId, siteIds: [otherSite.id] }, 'Organization Admin'),
      ),
      otherPartnersSite: await withSecondFactor(
        await invite({ scope: 'organization', orgId: other.orgId, siteIds: [other.siteId] }, 'Organization Admin'),
      ),
      apiKey: world.admin.as(
        (await world.admin.must<{ data: { key: string } }>('POST', '/api-keys', { name: 'matrix', permissions: ['*'] }))
          .data.key,
      ),
    };
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  it('answers 401 without a credential, and to one that is none', async () => {
    expect(
      await unexpected(
        new Api(world.product.baseUrl),
        rows.filter(({ permission }) => permission !== 'public'),
        ({ status, body }) => status === 401 && body['code'] === 'not_authenticated',
      ),
    ).toEqual([]);
    expect(
      await unexpected(
        world.admin.as('not.a.token'),
        ofUsers,
        ({ status, body }) => status === 401 && body['code'] === 'token_invalid',
      ),
    ).toEqual([]);
    expect(await unexpected(world.admin.as(tenant.agentToken), ofUsers, ({ status }) => status === 401)).toEqual([]);
  });

  it('opens no route to a visitor of a set-up link but the visitor’s own, and those to nobody else (SETUP-07)', async () => {
    const is =
      (code: string) =>
      ({ status, body }: ApiAnswer): boolean =>
        status === 401 && body['code'] === code;
    const visitToken = await visitOf(world.admin, { orgId: tenant.orgId });
    expect(await unexpected(world.admin.as(visitToken), ofUsers, is('token_invalid'))).toEqual([]);
    for (const token of [world.admin.accessToken ?? '', tenant.agentToken, 'not.a.token'])
      expect(await unexpected(world.admin.as(token), ofVisitors, is('token_invalid'))).toEqual([]);
    expect(await unexpected(world.admin.as(visitToken), ofEveryone, is('token_invalid'))).toEqual([]);
    const unknown = world.admin.as(`ghv_${'x'.repeat(43)}`);
    expect(await unexpected(unknown, ofVisitors, is('setup_link_invalid'))).toEqual([]);
    expect((await world.admin.as(visitToken).call('GET', '/sso/setup')).status).toBe(200);
  });

  it.each(['withoutMfa', 'apiKey'] as const)(
    'answers 403 mfa_required wherever a second factor is asked, to a session without one and to an API key (AUTH-19, AUTH-24): %s',
    async (caller) => {
      const gated = ofUsers.filter(({ mfa, levels }) => mfa && (levels.length === 0 || levels.includes('system')));
      expect(gated.length).toBeGreaterThan(50);
      expect(await unexpected(callers[caller], gated, isForbidden('mfa_required'))).toEqual([]);
    },
  );

  it('answers 403 permission_denied to an API key at the routes of sessions, whatever it sends (IDY-41)', async () => {
    const ofSessions = ofUsers.filter(({ route }) => ACCESS[route]?.includes('session'));
    expect(ofSessions.length).toBeGreaterThan(10);
    expect(await unexpected(callers.apiKey, ofSessions, isForbidden('permission_denied'))).toEqual([]);
  });

  it('answers 403 permission_denied to one who may only look', async () => {
    const writes = ofUsers.filter(
      ({ permission, levels }) =>
        /:(write|execute|request|export)$/.test(permission) && (levels.length === 0 || levels.includes('partner')),
    );
    expect(writes.length).toBeGreaterThan(50);
    expect(await unexpected(callers.viewer, writes, isForbidden('permission_denied'))).toEqual([]);
  });

  it("answers 403 scope_denied to an organisation's own people on routes of partners and the system", async () => {
    const higher = ofUsers.filter(({ levels }) => levels.length > 0 && !levels.includes('organization'));
    expect(await unexpected(callers.organization, higher, isForbidden('scope_denied'))).toEqual([]);
  });

  it("gives another partner's administrator nothing of the tenant, and never fails over it", async () => {
    const lists = harmless.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    for (const { path } of lists) {
      const filtered = await callers.otherPartner
        .call('GET', path + queryFor(path, { ...places(), partnerId: tenant.partnerId }))
        .catch(() => null);
      expect({ path, status: filtered?.status ?? 200 }).toEqual({ path, status: expect.not.stringMatching(/^5/) });
      expect(JSON.stringify(filtered?.body ?? {})).not.toContain(ids['/pam/rules']);
      for (const secret of [ids['/pam/elevation-requests'], ids['/orgs/contacts'], ids['/sso/providers']])
        expect(JSON.stringify(filtered?.body ?? {})).not.toContain(secret);
    }
  });

  it('knows a real thing for every route that names one', () => {
    const unknown = ofUsers.filter(
      ({ path }) => path.includes('{') && !Object.keys(ids).some((beginning) => path.startsWith(`${beginning}/{`)),
    );
    // These routes change only the caller's own sessions and factors, so another user's id has no effect.
    const own = ['DELETE /auth/sessions/{id}', 'DELETE /auth/mfa/factors/{id}'];
    expect(unknown.map(({ route }) => route)).toEqual(['GET /services/{service}', ...own]);
  });

  const places = (): Record<string, string> => ({
    orgId: tenant.orgId,
    organizationId: tenant.orgId,
    siteId: tenant.siteId,
    deviceId: tenant.deviceId,
  });

  /** A body whose members are valid for every route that has them. */
  const anyBody = (): object => ({
    name: 'x',
    displayName: 'x',
    reason: 'x',
    decision: 'approve',
    status: 'active',
    stage: 'off',
    siteId: tenant.siteId,
    survivorId: randomUUID(),
    confirmName: 'x',
    level: 'organization',
    targetId: tenant.orgId,
    deviceIds: [tenant.deviceId],
    orgIds: [tenant.orgId],
    acceptNewlyApproved: 0,
    values: { matrix: 'x' },
    elevationRequestId: ids['/pam/elevation-requests'],
  });

  it.each(['otherPartner', 'otherOrganization', 'otherSelection', 'otherPartnersSite'] as const)(
    'answers 404 to a valid request for a thing out of reach, whatever else the caller lacks, and changes nothing: %s',
    async (caller) => {
      const before = await fingerprint();
      /** The guard refuses a scope before anything is read; of a foreign site the specification says 403 (TEN-11). */
      const isRefused = ({ status, body }: ApiAnswer, { levels, path }: Row): boolean =>
        status === 404 ||
        (status === 403 && (path.startsWith('/orgs/sites/') || (levels.length > 0 && body['code'] === 'scope_denied')));
      const surprises = await unexpected(callers[caller], naming, isRefused, anyBody());
      expect([surprises, await fingerprint()]).toEqual([[], before]);
    },
  );

  it('lets one who is confined to other sites look at what the whole organisation shares, and reach nothing else', async () => {
    const before = await fingerprint();
    expect(
      await unexpected(
        callers.otherSites,
        naming,
        ({ status }, { method, path }) =>
          [403, 404].includes(status) ||
          (method === 'GET' && status === 200 && SHARED.some((prefix) => path.startsWith(prefix))),
        anyBody(),
      ),
    ).toEqual([]);
    expect(await fingerprint()).toEqual(before);
  });

  /**
   * The content of a list. From the audit log, refused attempts are left out, because they name whatever id the caller
   * requested.
   */
  async function heard(api: Api, path: string): Promise<unknown> {
    const { body } = await api.call('GET', path).catch(() => ({ body: {} as Record<string, unknown> }));
    if (!path.startsWith('/audit-logs') || !Array.isArray(body['data'])) return body;
    return (body['data'] as { result: string }[]).filter(({ result }) => result !== 'denied');
  }

  it.each([
    ['otherOrganization', () => Object.values(ids)],
    ['otherSelection', () => Object.values(ids)],
    ['otherSites', () => OF_ONE_SITE.map((beginning) => ids[beginning] ?? '')],
  ] as const)('names nothing out of reach in any list: %s', async (caller, things) => {
    const out = things().filter((id) => id !== tenant.partnerId);
    for (const { path } of harmless.filter(({ method, path: each }) => method === 'GET' && !each.includes('{'))) {
      for (const query of ['', ...Object.entries(places()).map(([name, value]) => queryFor(path, { [name]: value }))]) {
        const told = JSON.stringify(await heard(callers[caller], path + query));
        expect({ path, query, told: out.filter((id) => told.includes(id)) }).toEqual({ path, query, told: [] });
      }
    }
  });

  /** The stored state of the tenant's things: a refused request must leave it unchanged. */
  async function fingerprint(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const [database, tables] of Object.entries(WATCHED))
      for (const table of tables)
        found[table] = await sql(
          world,
          database,
          `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM ${table} t`,
        );
    return found;
  }

  it('answers a malformed id and an empty body with 4xx', async () => {
    for (const { method, path } of harmless.filter((row) => row.levels.length === 0 || row.levels.includes('system'))) {
      const answer = await world.admin
        .call(
          method,
          path.replaceAll(/\{\w+\}/g, 'not-an-id'),
          method === 'GET' || method === 'DELETE' ? undefined : { unknown: true },
        )
        .catch(() => ({ status: 200, body: {} }));
      expect({ method, path, status: answer.status < 500 }).toEqual({ method, path, status: true });
    }
  });

  async function invite(membership: object, roleName: string | null): Promise<Api> {
    const axis = 'orgId' in membership ? 'organization' : 'partner';
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>(
      'GET',
      `/roles?axis=${axis}`,
    );
    const roleId = roles.find(({ name }) => name === (roleName ?? 'Partner Admin'))?.id;
    const email = `matrix-${randomUUID()}@example.test`;
    await world.admin.eventually('POST', '/users', { email, name: 'Matrix', membership: { ...membership, roleId } });
    const token = await until(() => world.invitationFor(email), 30);
    const { accessToken } = await world.admin.as('').must<{ accessToken: string }>('POST', '/auth/accept-invite', {
      token,
      password: `a long passphrase ${randomUUID()}`,
    });
    return world.admin.as(accessToken);
  }

  async function withSecondFactor(api: Api): Promise<Api> {
    const { secret } = await api.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
    const { accessToken } = await api.must<{ accessToken: string }>('POST', '/auth/mfa/totp/confirm', {
      code: await Api.codeFor(secret),
    });
    return api.as(accessToken);
  }

  const idFor = (path: string): string =>
    Object.entries(ids).find(([beginning]) => path.startsWith(`${beginning}/{`))?.[1] ?? randomUUID();

  function call(api: Api, { route, method, path }: Row, body: object = {}): Promise<ApiAnswer> {
    const hasBody = method !== 'GET' && (method !== 'DELETE' || path === '/device-groups/{id}/devices');
    const sent = membersFor(route, { ...body, ...(path === '/devices/{id}' && { status: 'maintenance' }) });
    return api.call(
      method,
      path.replaceAll(/\{(\w+)\}/g, () => idFor(path)),
      hasBody ? sent : undefined,
    );
  }

  /** The given parameters that the route has. */
  const queryFor = (path: string, given: Readonly<Record<string, string>>): string =>
    `?${Object.entries(given)
      .filter(([name]) => takenBy(`GET ${path}`).query.includes(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')}`;

  /** The answers that differ from the expected ones, one for each row. */
  async function unexpected(
    api: Api,
    over: readonly Row[],
    expected: (answer: ApiAnswer, row: Row) => boolean,
    body?: object,
  ): Promise<string[]> {
    const surprises: string[] = [];
    for (const row of over) {
      const answer = await call(api, row, body);
      if (!expected(answer, row)) surprises.push(`${row.route}: ${answer.status} ${String(answer.body['code'])}`);
    }
    return surprises;
  }
});

const isForbidden =
  (code: string) =>
  ({ status, body }: ApiAnswer): boolean =>
    status === 403 && body['code'] === code;

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
  return {
    route,
    method: method as Method,
    path,
    permission,
    mfa: rest.includes('mfa'),
    levels: rest.find((word) => word !== 'mfa' && word !== 'session')?.split('|') ?? [],
  };
});
const ofUsers = rows.filter(({ permission }) => !['public', 'agent', 'setup'].includes(permission));
const ofEveryone = rows.filter(({ permission }) => permission === 'public');
const ofVisitors = rows.filter(({ permission }) => permission === 'setup');
/** Excludes the routes that would end the session that the test still uses. */
const harmless = ofUsers.filter(({ path }) => !path.startsWith('/auth/logout') && path !== '/events/stream');
const naming = harmless.filter(({ path }) => path.includes('{'));

/** Things that belong to an organisation as a whole: all of its users may read them. */
const SHARED = [
  '/orgs/organizations/{id}/contacts',
  '/device-groups/',
  '/configuration-policies/',
  '/custom-fields/',
  '/scripts/',
  '/users/',
  '/sso/providers/',
  '/sso/setup-links/',
  '/pam/software-policies/',
];
/** Tables that the routes change. */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  tenancy: [
    'organizations',
    'sites',
    'contacts',
    'enrollment_keys',
    'device_groups',
    'device_group_members',
    'configuration_policies',
    'configuration_policy_assignments',
    'custom_fields',
    'custom_field_values',
    'scripts',
  ],
  pam: [
    'elevation_requests',
    'pam_rules',
    'pam_freezes',
    'pam_approval_policies',
    'pam_justification_policies',
    'pam_escalation_policies',
    'signer_groups',
    'software_policies',
    'approvals',
    'device_commands',
  ],
  identity: ['sso_providers', 'sso_domains', 'roles', 'memberships', 'api_keys'],
  notifier: ['push_subscriptions'],
};
