import type { Api, ApiAnswer } from '@gatehouse/stack';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ACCESS } from './access-table.ts';
import { TAKEN } from './known-members.ts';
import { sharedWorld } from './shared-world.ts';
import { visitOf } from './tenant-things.ts';
import { makeTenant, partnerAdministrator, type SharedWorld } from './world.ts';

describe('a request with a member or parameter that its route does not have', () => {
  let world: SharedWorld;
  let partner: Api;
  /** The visitor of a set-up link. */
  let visitor: Api;
  beforeAll(async () => {
    world = await sharedWorld();
    const { partnerId, orgId } = await makeTenant(world.admin);
    partner = await partnerAdministrator(world, partnerId);
    visitor = world.admin.as(await visitOf(partner, { orgId }));
  }, 240_000);

  it('ATK-09e: is exempt on the routes of agents, other protocols and browsers only', () => {
    expect(
      TAKEN.filter(({ isClosed }) => !isClosed)
        .map(({ route }) => route)
        .sort(),
    ).toEqual(OPEN);
  });

  it('ATK-09f: is refused by every closed route for a parameter, with the parameter named', async () => {
    expect(closed.length).toBeGreaterThan(150);
    expect(
      await passing(
        closed.map(({ route }) => route),
        UNKNOWN,
        (route) => call(route, `?${UNKNOWN}=1`),
      ),
    ).toEqual([]);
  });

  it('ATK-09g: is refused by every closed route for a member, also where the route takes no body', async () => {
    const writing = closed.map(({ route }) => route).filter((route) => !/^(GET|PATCH) /.test(route));
    expect(await passing(writing, UNKNOWN, (route) => call(route, '', { [UNKNOWN]: 1 }))).toEqual([]);
  });

  it('ATK-201: a PATCH that holds only unknown members changes nothing and names them, as an empty one does', async () => {
    const routes = patches.map(({ route }) => route);
    const code = 'no_updates_provided';
    expect(routes.length).toBeGreaterThan(14);
    expect(await passing(routes, UNKNOWN, (route) => call(route, '', { [UNKNOWN]: 1 }), code)).toEqual([]);
    const empty = await Promise.all(routes.map(async (route) => [route, (await call(route, '', {})).body['code']]));
    expect(empty.filter(([, given]) => given !== code)).toEqual([]);
  });

  it('ATK-201: an unknown member beside a known one is refused as invalid by every PATCH', async () => {
    const [routes, bodies] = [
      patches.map(({ route }) => route),
      new Map(patches.map(({ route, body: [known = ''] }) => [route, { [known]: null, [UNKNOWN]: 1 }])),
    ];
    expect(await passing(routes, UNKNOWN, (route) => call(route, '', bodies.get(route)))).toEqual([]);
    expect(await passing(routes, UNKNOWN, (route) => call(route, `?${UNKNOWN}=1`, { [UNKNOWN]: 1 }))).toEqual([]);
  });

  it('ATK-09h: is announced by the contract, which says of each closed body that it has no further members', () => {
    expect(closed.filter(({ saysSo }) => !saysSo).map(({ route }) => route)).toEqual([]);
  });

  it.each([
    [
      'POST /users',
      {
        email: 'a@b.example',
        name: 'x',
        membership: { scope: 'organization', roleId: randomUUID(), orgId: randomUUID(), siteids: [] },
      },
      'membership.siteids',
      'siteIds',
    ],
    [
      'POST /pam/rules',
      { name: 'x', verdict: 'auto_approve', matchSigner: 'x', matchHahs: 'x' },
      'matchHahs',
      'matchHash',
    ],
    ['POST /enrollment-keys', { orgId: randomUUID(), name: 'x', maxUses: 1 }, 'maxUses', 'maxUsage'],
    [
      'POST /scripts/import',
      { scripts: [{ name: 'x', content: 'x', orgid: randomUUID() }] },
      'scripts.0.orgid',
      'orgId',
    ],
    ['POST /orgs/contacts/import', { rows: [{ organization: 'x', emial: 'x' }] }, 'rows.0.emial', 'email'],
    [
      'POST /devices/custom-fields/import',
      { rows: [{ hostname: 'x', values: { anything: 1 }, organisationId: 'x' }] },
      'rows.0.organisationId',
      'organizationId',
    ],
  ])('ATK-09i: %s refuses %j and says what was meant', async (route, body, path, meant) => {
    expect((await call(route, '', body)).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path, message: `is not known; did you mean "${meant}"?` }],
    });
  });

  it('ATK-09j: is refused after the caller and before the thing: 401, 403, 400, 404 in this order', async () => {
    const thing = `/pam/rules/${randomUUID()}`;
    const codeOf = async (api: Api, body: object): Promise<unknown> =>
      (await api.call('PATCH', thing, body)).body['code'];
    expect(await codeOf(world.admin.as(''), { x: 1 })).toBe('not_authenticated');
    expect(await codeOf(world.admin, { x: 1, name: 'x' })).toBe('validation_failed');
    expect(await codeOf(world.admin, { x: 1 })).toBe('no_updates_provided');
    expect(await codeOf(world.admin, {})).toBe('no_updates_provided');
    expect(await codeOf(world.admin, { name: 'x' })).toBe('rule_not_found');
  });

  function call(route: string, query: string, body?: object): Promise<ApiAnswer> {
    const [method = 'GET', path = ''] = route.split(' ');
    const admin = isOfPartners(route) ? partner : world.admin;
    return (isOfVisitor(path) ? visitor : admin).call(
      method as Method,
      `${path.replaceAll(/\{\w+\}/g, randomUUID())}${query}`,
      body,
    );
  }

  /** The routes that did not name the unknown member in a problem. */
  async function passing(
    routes: readonly string[],
    path: string,
    send: (route: string) => Promise<ApiAnswer>,
    code = 'validation_failed',
  ): Promise<string[]> {
    const passed: string[] = [];
    for (const route of routes) {
      const { status, body } = await send(route);
      const issues = (body['issues'] ?? []) as { path: string; message: string }[];
      const isNamed = issues.some((issue) => issue.path === path && issue.message.startsWith('is not known'));
      if (status !== 400 || body['code'] !== code || !isNamed)
        passed.push(`${route}: ${status} ${JSON.stringify(body)}`);
    }
    return passed;
  }
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const UNKNOWN = 'siteidz';
/** The only routes that accept unknown members. */
const OPEN = [
  'GET /agents/{id}/commands',
  'GET /agents/{id}/config',
  'GET /agents/{id}/elevation-requests/{requestId}',
  'GET /agents/{id}/rules',
  'GET /sso/callback',
  'GET /sso/login/partner/{partnerId}',
  'GET /sso/login/{orgId}',
  'GET /sso/saml/complete',
  'GET /sso/saml/login/partner/{partnerId}',
  'GET /sso/saml/login/{orgId}',
  'GET /sso/saml/metadata',
  'POST /agents/enroll',
  'POST /agents/{id}/commands/{commandId}/result',
  'POST /agents/{id}/elevation-requests',
  'POST /agents/{id}/elevation-requests/{requestId}/justification',
  'POST /agents/{id}/token/rotate',
  'POST /sso/saml/acs',
  'PUT /agents/{id}/inventory',
];
const closed = TAKEN.filter(({ isClosed, route }) => isClosed && !route.startsWith('GET /.well-known'));
const patches = closed.filter(({ route }) => route.startsWith('PATCH '));
/** A route that no session of the system may call. */
const isOfPartners = (route: string): boolean => / partner(\|organization)?$/.test(ACCESS[route] ?? '');
const isOfVisitor = (path: string): boolean =>
  path === '/sso/setup' || (path.startsWith('/sso/setup/') && path !== '/sso/setup/visits');
