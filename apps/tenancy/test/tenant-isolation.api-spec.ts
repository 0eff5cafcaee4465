import type { Access } from '@gatehouse/auth';
import { ACCESS_LEVELS, type AccessLevel, type Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { describeService } from '@gatehouse/service';
import { aPrincipal, anApiKey, anOrgAdmin, aPartnerAdmin, type Client, type TestService } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { created, Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let routes: Route[];
let ids: Record<string, string>;
let strangerId: string;

beforeAll(async () => {
  tenancy = await Tenancy.start();
  routes = routesOf(tenancy.service as never);
  const partnerId = (await tenancy.partner()).id;
  const admin = tenancy.admin(partnerId);
  const made = async (path: string, body: object): Promise<string> =>
    created<{ data: { id: string } }>(await admin.post(path).send(body)).data.id;
  const [org, survivor] = [
    (await tenancy.organization(partnerId, { name: 'Org' })).id,
    (await tenancy.organization(partnerId)).id,
  ];
  const site = (await tenancy.site(partnerId, org)).id;
  const otherSite = (await tenancy.site(partnerId, org)).id;
  const key = await tenancy.enrollmentKey(partnerId, org, { siteId: site });
  const policy = await made('/configuration-policies', {
    name: 'P',
    ownerScope: 'organization',
    orgId: org,
    features: {},
  });
  ids = {
    partnerId,
    org,
    survivor,
    site,
    otherSite,
    key: key.id,
    device: (await tenancy.device(key.key, { hostname: 'pc-known' })).deviceId,
    contact: await made(`/orgs/organizations/${org}/contacts`, { name: 'C', siteId: site }),
    group: await made('/device-groups', { orgId: org, name: 'G' }),
    policy,
    assignment: await made(`/configuration-policies/${policy}/assignments`, { level: 'organization', targetId: org }),
    field: await made('/custom-fields', {
      name: 'F',
      fieldKey: 'f',
      type: 'text',
      ownerScope: 'organization',
      orgId: org,
    }),
    script: await made('/scripts', { name: 'S', content: 'x', orgId: org }),
  };
  strangerId = (await tenancy.partner()).id;
});
afterAll(() => tenancy.stop());

const OUT_OF_REACH: [string, () => Principal][] = [
  [
    'partner scope with another organisation selected',
    () => aPartnerAdmin(ids['partnerId'] ?? '', { orgs: [ids['survivor'] ?? ''] }),
  ],
  ['partner scope with no organisation', () => aPartnerAdmin(ids['partnerId'] ?? '', { orgs: [] })],
  ['the administrator of another organisation', () => anOrgAdmin(ids['partnerId'] ?? '', ids['survivor'] ?? '')],
];
const confined = (): Principal =>
  anOrgAdmin(ids['partnerId'] ?? '', ids['org'] ?? '', { sites: [ids['otherSite'] ?? ''] });

describe('every route of tenancy', () => {
  it('is known: users, agents, or public by decision', () => {
    expect(routes.length).toBeGreaterThan(60);
    expect(
      routes
        .filter(({ access }) => access.kind !== 'user')
        .map(({ method, path, access }) => `${access.kind} ${method} ${path}`)
        .sort(),
    ).toEqual([
      'agent get /agents/{id}/config',
      'agent post /agents/{id}/token/rotate',
      'agent put /agents/{id}/inventory',
      'public post /agents/enroll',
    ]);
  });

  it('answers 401 without credentials', async () => {
    expect(await codesOf(ofUsers().map((route) => call(tenancy.service.as(null), route)))).toEqual(
      all('not_authenticated', ofUsers()),
    );
  });

  it('answers partner_inactive before anything else', async () => {
    const client = tenancy.as(aPartnerAdmin(strangerId, { partnerActive: false, permissions: [], mfa: false }));
    expect(await codesOf(ofUsers().map((route) => call(client, route)))).toEqual(all('partner_inactive', ofUsers()));
  });

  it('answers scope_denied to the scopes that it is not for', async () => {
    for (const level of ACCESS_LEVELS) {
      const closed = ofUsers().filter(({ access }) => access.levels && !access.levels.includes(level));
      const client = tenancy.as(aPrincipal({ level, partnerId: ids['partnerId'] ?? null, orgId: ids['org'] ?? null }));
      expect(await codesOf(closed.map((route) => call(client, route)))).toEqual(all('scope_denied', closed));
    }
  });

  it('answers permission_denied without its permission', async () => {
    const gated = ofUsers().filter(({ access }) => access.permission !== null);
    expect(gated.length).toBe(ofUsers().length - 2);
    expect(
      await codesOf(
        gated.map((route) =>
          call(
            tenancy.as(aPrincipal({ level: levelOf(route), partnerId: strangerId, permissions: ['audit:export'] })),
            route,
          ),
        ),
      ),
    ).toEqual(all('permission_denied', gated));
  });

  it('answers mfa_required to sessions without a second factor and to API keys, on every write but those on partners', async () => {
    const writes = ofUsers().filter(
      ({ method, path }) => method !== 'get' && !/^\/orgs\/partners(\/\{id\})?$/.test(path),
    );
    for (const make of [aPrincipal, anApiKey]) {
      expect(
        await codesOf(
          writes.map((route) =>
            call(
              tenancy.as(make({ level: levelOf(route), partnerId: strangerId, permissions: ['*'], mfa: false })),
              route,
            ),
          ),
        ),
      ).toEqual(all('mfa_required', writes));
    }
  });

  it("answers for another partner's things as specified, and does not change them", async () => {
    const named = ofUsers().filter(({ path }) => path.includes('{id}'));
    const before = await snapshot();
    for (const route of named) {
      const [, thing, body, code] = rowOf(route);
      const answer = await call(tenancy.as(aPartnerAdmin(strangerId)), route, body(), ids[thing]);
      expect([route.method, route.path, answer.body.code]).toEqual([route.method, route.path, code]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it.each(OUT_OF_REACH)('answers the same for things of an organisation out of reach: %s', async (_, principal) => {
    const before = await snapshot();
    for (const route of ofUsers().filter(({ path }) => path.includes('{id}'))) {
      const [, thing, body, code] = rowOf(route);
      const expected = isOpenTo(principal().level, route) ? code : 'scope_denied';
      const answer = await call(tenancy.as(principal()), route, body(), ids[thing]);
      expect([route.method, route.path, answer.body.code]).toEqual([route.method, route.path, expected]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('lets one who is confined to other sites look at what the whole organisation shares, and at nothing else; and change none of it', async () => {
    const before = await snapshot();
    for (const route of ofUsers().filter(({ path }) => path.includes('{id}'))) {
      const [, thing, body] = rowOf(route);
      const answer = await call(tenancy.as(confined()), route, body(), ids[thing]);
      expect([route.method, route.path, answer.body.code ?? answer.status]).toEqual([
        route.method,
        route.path,
        outsideSites(route),
      ]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('makes nothing below an organisation or a site out of reach', async () => {
    const writes = ofUsers()
      .filter(({ method, path }) => method !== 'get' && !path.includes('{id}'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(writes.sort()).toEqual([...Object.keys(CREATING), ...OF_THE_PARTNER].sort());
    const before = await snapshot();
    const strangers: [string, () => Principal][] = [
      ...OUT_OF_REACH,
      ['another partner', () => aPartnerAdmin(strangerId)],
    ];
    const told: string[] = [];
    for (const route of ofUsers().filter(({ method, path }) => `${method} ${path}` in CREATING)) {
      const [body, outOfReach, outside] = CREATING[`${route.method} ${route.path}`] ?? [() => ({}), '', ''];
      for (const [name, principal] of [...strangers, ['other sites', confined] as [string, () => Principal]]) {
        const answer = await call(tenancy.as(principal()), route, body());
        const expected = name === 'other sites' ? outside : outOfReach;
        if (!JSON.stringify(answer.body).includes(`"${expected}"`))
          told.push(`${route.method} ${route.path} as ${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
    }
    expect(told).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });

  it.each<[string, () => Principal, string[]]>([
    ...OUT_OF_REACH.map(([name, principal]): [string, () => Principal, string[]] => [
      name,
      principal,
      ['org', 'site', 'otherSite', 'key', 'device', 'contact', 'group', 'policy', 'assignment', 'field', 'script'],
    ]),
    ['one who is confined to other sites', () => confined(), ['site', 'key', 'device', 'contact']],
  ])('names nothing out of reach in any list, whatever the filter: %s', async (_, principal, things) => {
    const lists = ofUsers().filter(
      (route) => route.method === 'get' && !route.path.includes('{id}') && isOpenTo(principal().level, route),
    );
    expect(lists.length).toBeGreaterThan(7);
    for (const { path } of lists) {
      for (const filter of [
        {},
        { orgId: ids['org'] },
        { organizationId: ids['org'] },
        { siteId: ids['site'] },
        { groupId: ids['group'] },
        { search: 'pc' },
      ]) {
        const { body } = await tenancy
          .as(principal())
          .get(`${path}?${new URLSearchParams(filter as Record<string, string>).toString()}`);
        const told = JSON.stringify(body);
        expect([path, filter, things.filter((thing) => told.includes(ids[thing] ?? ''))]).toEqual([path, filter, []]);
      }
    }
  });

  it('shows nothing of another partner in any list, whatever the filter', async () => {
    const lists = ofUsers().filter(
      ({ method, path, access }) =>
        method === 'get' &&
        !path.includes('{id}') &&
        !path.includes('/me') &&
        (!access.levels || access.levels.includes('partner')),
    );
    const filters = [
      `?orgId=${ids['org']}`,
      `?organizationId=${ids['org']}`,
      `?siteId=${ids['site']}`,
      `?groupId=${ids['group']}`,
    ];
    for (const route of lists) {
      for (const query of ['', ...filters]) {
        const asked = route.path.endsWith('/summary') ? `?ids=${ids['org']}${query.replace('?', '&')}` : query;
        const { status, body } = await tenancy.as(aPartnerAdmin(strangerId)).get(route.path + asked);
        if (query === '' || !isRefused(route.path, status, body))
          expect([route.path, query, status, body.data, body.pagination?.total ?? 0]).toEqual([
            route.path,
            query,
            200,
            [],
            0,
          ]);
      }
    }
  });

  it('answers 4xx, never 5xx, to ids that are none', async () => {
    for (const route of ofUsers().filter(({ path }) => path.includes('{id}'))) {
      for (const id of ['x', '%00', "1' OR '1'='1", 'null']) {
        const { status } = await call(
          tenancy.as(aPrincipal({ level: levelOf(route), partnerId: strangerId })),
          route,
          {},
          encodeURIComponent(id),
        );
        expect([route.path, id, status >= 400 && status < 500]).toEqual([route.path, id, true]);
      }
    }
  });
});

const snapshot = () =>
  tenancy.service.sql(`
  SELECT (SELECT jsonb_agg(o ORDER BY id) FROM organizations o) AS o, (SELECT jsonb_agg(s ORDER BY id)
    FROM sites s) AS s, (SELECT jsonb_agg(c ORDER BY id) FROM contacts c) AS c,
         (SELECT jsonb_agg(d ORDER BY id) FROM devices d) AS d, (SELECT jsonb_agg(k ORDER BY id)
           FROM enrollment_keys k) AS k, (SELECT jsonb_agg(g ORDER BY id) FROM device_groups g) AS g,
         (SELECT jsonb_agg(p ORDER BY id) FROM configuration_policies p) AS p, (SELECT jsonb_agg(f ORDER BY id)
           FROM custom_fields f) AS f, (SELECT jsonb_agg(x ORDER BY id) FROM scripts x) AS x`);

describe('storage', () => {
  it('shows the runtime role nothing without a context', async () => {
    const tables = await tenancy.service.sql<{ name: string }>(`
      SELECT DISTINCT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name IN ('partner_id', 'org_id')`);
    expect(tables.length).toBeGreaterThan(15);
    const { requests } = tenancy.service.service.platform.store ?? {};
    for (const { name } of [...tables, { name: 'partners' }])
      expect([name, await requests?.query(`SELECT * FROM ${name}`)]).toEqual([name, []]);
  });

  it('publishes all state again on request, under the current versions', async () => {
    const { body } = await tenancy.service.asService('operator').post('/internal/tenancy/announcements');
    expect(body).toEqual({ partners: 2, organizations: 2, sites: 2, deviceGroups: 1, devices: 1 });
    expect((await tenancy.as(aPrincipal()).post('/internal/tenancy/announcements')).status).toBe(404);
  });
});

type Method = keyof Client;
interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly members: readonly string[] | null;
}

interface Operation {
  readonly 'x-access'?: Access;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> };
}

const routesOf = (service: TestService): Route[] => {
  const { paths, components } = describeService(service.service.app, 'tenancy');
  const membersOf = ({ requestBody }: Operation): string[] | null => {
    const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
    const schema = name === undefined ? undefined : components?.schemas?.[name];
    return schema && 'properties' in schema ? Object.keys(schema.properties ?? {}) : null;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation?.['x-access']
        ? [{ method, path: path.replace('/api/v1', ''), access: operation['x-access'], members: membersOf(operation) }]
        : [];
    }),
  );
};

/**
 * Which thing a path with `{id}` names, a body that passes validation, and what someone is told who does not reach its
 * organisation.
 */
const NAMED: readonly [prefix: string, thing: string, body: () => object, code: string][] = [
  ['/orgs/partners/{id}', 'partnerId', () => ({ name: 'x' }), 'scope_denied'],
  ['/orgs/organizations/merge-runs/{id}', 'org', () => ({}), 'merge_run_not_found'],
  [
    '/orgs/organizations/{id}/merge',
    'org',
    () => ({ survivorId: ids['survivor'], confirmName: 'Org' }),
    'organization_not_found',
  ],
  ['/orgs/organizations/{id}', 'org', () => ({ name: 'x' }), 'organization_not_found'],
  ['/orgs/sites/{id}', 'site', () => ({ name: 'x' }), 'site_access_denied'],
  ['/orgs/contacts/{id}', 'contact', () => ({ name: 'x' }), 'contact_not_found'],
  ['/enrollment-keys/{id}', 'key', () => ({}), 'enrollment_key_not_found'],
  ['/devices/{id}/custom-fields', 'device', () => ({ values: { f: 'x' } }), 'device_not_found'],
  ['/devices/{id}', 'device', () => ({ displayName: 'x', siteId: ids['site'] }), 'device_not_found'],
  ['/device-groups/{id}', 'group', () => ({ name: 'x', deviceIds: [ids['device']] }), 'device_group_not_found'],
  [
    '/configuration-policies/{id}',
    'policy',
    () => ({ name: 'x', level: 'organization', targetId: ids['org'] }),
    'configuration_policy_not_found',
  ],
  ['/custom-fields/{id}', 'field', () => ({ name: 'x' }), 'custom_field_not_found'],
  ['/scripts/{id}', 'script', () => ({ name: 'x' }), 'script_not_found'],
];

const rowOf = ({ path }: Route) => {
  const row = NAMED.find(([prefix]) => path.startsWith(prefix));
  if (!row) throw new Error(`the matrix does not know ${path}: add what it names to NAMED`);
  return row;
};

/**
 * Routes that name an organisation in the body, with what they say of one out of reach: a code, or the outcome of the
 * row.
 */
const CREATING: Readonly<Record<string, readonly [body: () => object, outOfReach: string, outsideSites: string]>> = {
  'post /orgs/sites': [() => ({ orgId: ids['org'], name: 'x' }), 'org_access_denied', 'site_access_denied'],
  'post /orgs/contacts/import': [
    () => ({ rows: [{ organizationId: ids['org'], name: 'x' }] }),
    'org-not-found',
    'site_access_denied',
  ],
  'post /orgs/contacts/import/preview': [
    () => ({ rows: [{ organizationId: ids['org'], name: 'x' }] }),
    'org-not-found',
    'conflict',
  ],
  'post /enrollment-keys': [
    () => ({ orgId: ids['org'], siteId: ids['site'], name: 'x' }),
    'organization_not_found',
    'site_access_denied',
  ],
  'post /device-groups': [() => ({ orgId: ids['org'], name: 'x' }), 'organization_not_found', 'site_access_denied'],
  'post /configuration-policies': [
    () => ({ name: 'x', ownerScope: 'organization', orgId: ids['org'], features: {} }),
    'organization_not_found',
    'site_access_denied',
  ],
  'post /custom-fields': [
    () => ({ name: 'x', fieldKey: 'x', type: 'text', ownerScope: 'organization', orgId: ids['org'] }),
    'organization_not_found',
    'site_access_denied',
  ],
  'post /custom-fields/import': [
    () => ({ rows: [{ name: 'x', type: 'text', ownerScope: 'organization', orgId: ids['org'] }] }),
    'organization_not_found',
    'site_access_denied',
  ],
  'post /custom-fields/import/preview': [
    () => ({ rows: [{ name: 'x', type: 'text', ownerScope: 'organization', orgId: ids['org'] }] }),
    'conflict',
    'conflict',
  ],
  'post /devices/custom-fields/import': [
    () => ({ rows: [{ organizationId: ids['org'], hostname: 'pc-known', values: { f: 'x' } }] }),
    'not-found',
    'not-found',
  ],
  'post /devices/custom-fields/import/preview': [
    () => ({ rows: [{ organizationId: ids['org'], hostname: 'pc-known', values: { f: 'x' } }] }),
    'not-found',
    'not-found',
  ],
  'post /scripts': [
    () => ({ name: 'x', content: 'x', orgId: ids['org'] }),
    'organization_not_found',
    'site_access_denied',
  ],
  'post /scripts/import': [
    () => ({ scripts: [{ name: 'x', content: 'x', availability: 'organization', orgId: ids['org'] }] }),
    'organization_not_found',
    'site_access_denied',
  ],
};
/** These act on the caller's own partner, or on partners themselves. */
const OF_THE_PARTNER = [
  'patch /orgs/partners/me',
  'post /orgs/partners',
  'post /orgs/organizations',
  'patch /orgs/organizations/order',
];

/** What belongs to the organisation as a whole: all of its people may read it. */
const SHARED = [
  '/orgs/organizations/{id}/contacts',
  '/device-groups/{id}',
  '/configuration-policies/{id}',
  '/custom-fields/{id}',
  '/scripts/{id}',
];

function outsideSites(route: UserRoute): string | number {
  if (!isOpenTo('organization', route)) return 'scope_denied';
  if (route.path.startsWith('/device-groups/{id}/devices')) return 'device_not_found';
  if (SHARED.some((prefix) => route.path.startsWith(prefix)))
    return route.method === 'get' ? 200 : 'site_access_denied';
  return rowOf(route)[3];
}

/** A body is for routes of a kind: each gets the members that it has. */
const call = (client: Client, { method, path, members }: Route, body: object = {}, id = newId()) => {
  const named = path
    .replace('{deviceId}', ids['device'] ?? '')
    .replace('{assignmentId}', ids['assignment'] ?? '')
    .replace('{id}', id);
  return members
    ? client[method](named).send(Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name))))
    : client[method](named);
};
type UserRoute = Route & { access: Extract<Access, { kind: 'user' }> };
const isOpenTo = (level: AccessLevel, { access }: UserRoute): boolean =>
  !access.levels || access.levels.includes(level);
const ofUsers = (): UserRoute[] =>
  routes.flatMap((route) => (route.access.kind === 'user' ? [{ ...route, access: route.access }] : []));
const codesOf = async (answers: Promise<{ body: { code?: string } }>[]) =>
  (await Promise.all(answers)).map(({ body }) => body.code);
const all = (code: string, many: readonly unknown[]): string[] => many.map(() => code);
const levelOf = ({ access }: { access: Extract<Access, { kind: 'user' }> }) => access.levels?.[0] ?? 'partner';

/** Whether a list does not know the filter, or refuses the organisation (sites). */
const isRefused = (path: string, status: number, body: { issues: readonly { message: string }[] }): boolean =>
  (status === 403 && path === '/orgs/sites') ||
  (status === 400 && body.issues.every(({ message }) => message.startsWith('is not known')));
