import type { Access } from '@gatehouse/auth';
import { ACCESS_LEVELS } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { describeService } from '@gatehouse/service';
import { aPrincipal, anApiKey, aPartnerAdmin, type Client, type TestService } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { created, Tenancy } from './tenancy.harness.ts';

type Method = keyof Client;
interface Route { readonly method: Method; readonly path: string; readonly access: Access }

let tenancy: Tenancy;
let routes: Route[];
let ids: Record<string, string>;
let strangerId: string;

const routesOf = (service: TestService): Route[] => {
  const { paths } = describeService(service.service.app, 'tenancy');
  return Object.entries(paths).flatMap(([path, item]) => (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
    const operation = item[method] as ({ 'x-access'?: Access } | undefined);
    return operation?.['x-access'] ? [{ method, path: path.replace('/api/v1', ''), access: operation['x-access'] }] : [];
  }));
};

beforeAll(async () => {
  tenancy = await Tenancy.start();
  routes = routesOf(tenancy.service as never);
  const partnerId = (await tenancy.partner()).id;
  const admin = tenancy.admin(partnerId);
  const made = async (path: string, body: object): Promise<string> => created<{ data: { id: string } }>(await admin.post(path).send(body)).data.id;
  const [org, survivor] = [(await tenancy.organization(partnerId, { name: 'Org' })).id, (await tenancy.organization(partnerId)).id];
  const site = (await tenancy.site(partnerId, org)).id;
  const key = await tenancy.enrollmentKey(partnerId, org);
  const policy = await made('/configuration-policies', { name: 'P', ownerScope: 'organization', orgId: org, features: {} });
  ids = {
    partnerId, org, survivor, site, key: key.id, device: (await tenancy.device(key.key)).deviceId, contact: await made(`/orgs/organizations/${org}/contacts`, { name: 'C' }),
    group: await made('/device-groups', { orgId: org, name: 'G' }), policy, assignment: await made(`/configuration-policies/${policy}/assignments`, { level: 'organization', targetId: org }),
    field: await made('/custom-fields', { name: 'F', fieldKey: 'f', type: 'text', ownerScope: 'organization', orgId: org }), script: await made('/scripts', { name: 'S', content: 'x', orgId: org }),
  };
  strangerId = (await tenancy.partner()).id;
});
afterAll(() => tenancy.stop());

/** Which thing a path with `{id}` names, a body that passes validation, and what another partner's administrator is told. */
const NAMED: readonly [prefix: string, thing: string, body: () => object, code: string][] = [
  ['/orgs/partners/{id}', 'partnerId', () => ({ name: 'x' }), 'scope_denied'],
  ['/orgs/organizations/merge-runs/{id}', 'org', () => ({}), 'merge_run_not_found'],
  ['/orgs/organizations/{id}/merge', 'org', () => ({ survivorId: ids['survivor'], confirmName: 'Org' }), 'organization_not_found'],
  ['/orgs/organizations/{id}', 'org', () => ({ name: 'x' }), 'organization_not_found'],
  ['/orgs/sites/{id}', 'site', () => ({ name: 'x' }), 'site_access_denied'],
  ['/orgs/contacts/{id}', 'contact', () => ({ name: 'x' }), 'contact_not_found'],
  ['/enrollment-keys/{id}', 'key', () => ({}), 'enrollment_key_not_found'],
  ['/devices/{id}/custom-fields', 'device', () => ({ values: { f: 'x' } }), 'device_not_found'],
  ['/devices/{id}', 'device', () => ({ displayName: 'x', siteId: ids['site'] }), 'device_not_found'],
  ['/device-groups/{id}', 'group', () => ({ name: 'x', deviceIds: [ids['device']] }), 'device_group_not_found'],
  ['/configuration-policies/{id}', 'policy', () => ({ name: 'x', level: 'organization', targetId: ids['org'] }), 'configuration_policy_not_found'],
  ['/custom-fields/{id}', 'field', () => ({ name: 'x' }), 'custom_field_not_found'],
  ['/scripts/{id}', 'script', () => ({ name: 'x' }), 'script_not_found'],
];

const call = (client: Client, { method, path }: Route, body: object = {}, id = newId()) => {
  const named = path.replace('{deviceId}', ids['device'] ?? '').replace('{assignmentId}', ids['assignment'] ?? '').replace('{id}', id);
  return method === 'get' ? client.get(named) : client[method](named).send(body);
};
const ofUsers = (): (Route & { access: Extract<Access, { kind: 'user' }> })[] => routes.flatMap((route) => (route.access.kind === 'user' ? [{ ...route, access: route.access }] : []));
const codesOf = async (answers: Promise<{ body: { code?: string } }>[]) => (await Promise.all(answers)).map(({ body }) => body.code);
const all = (code: string, many: readonly unknown[]): string[] => many.map(() => code);
const levelOf = ({ access }: { access: Extract<Access, { kind: 'user' }> }) => access.levels?.[0] ?? 'partner';

describe('every route of tenancy', () => {
  it('is known: users, agents, or public by decision', () => {
    expect(routes.length).toBeGreaterThan(60);
    expect(routes.filter(({ access }) => access.kind !== 'user').map(({ method, path, access }) => `${access.kind} ${method} ${path}`).sort()).toEqual(['agent get /agents/{id}/config', 'public post /agents/enroll']);
  });

  it('answers 401 to nobody', async () => {
    expect(await codesOf(ofUsers().map((route) => call(tenancy.service.as(null), route)))).toEqual(all('not_authenticated', ofUsers()));
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
    expect(gated.length).toBe(ofUsers().length - 1);
    expect(await codesOf(gated.map((route) => call(tenancy.as(aPrincipal({ level: levelOf(route), partnerId: strangerId, permissions: ['audit:export'] })), route)))).toEqual(all('permission_denied', gated));
  });

  it('answers mfa_required to sessions without a second factor and to API keys, on every write but those on partners', async () => {
    const writes = ofUsers().filter(({ method, path }) => method !== 'get' && !/^\/orgs\/partners(\/\{id\})?$/.test(path));
    for (const make of [aPrincipal, anApiKey]) {
      expect(await codesOf(writes.map((route) => call(tenancy.as(make({ level: levelOf(route), partnerId: strangerId, permissions: ['*'], mfa: false })), route)))).toEqual(all('mfa_required', writes));
    }
  });

  it("says of another partner's things what the specification says, and leaves them alone", async () => {
    const named = ofUsers().filter(({ path }) => path.includes('{id}'));
    const before = await snapshot();
    for (const route of named) {
      const row = NAMED.find(([prefix]) => route.path.startsWith(prefix));
      expect([route.path, row !== undefined]).toEqual([route.path, true]);
      const [, thing, body, code] = row ?? ['', '', () => ({}), ''];
      const answer = await call(tenancy.as(aPartnerAdmin(strangerId)), route, body(), ids[thing]);
      expect([route.method, route.path, answer.body.code]).toEqual([route.method, route.path, code]);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("shows nothing of another partner in any list, whatever the filter", async () => {
    const lists = ofUsers().filter(({ method, path, access }) => method === 'get' && !path.includes('{id}') && !path.endsWith('/me') && (!access.levels || access.levels.includes('partner')));
    const filter = new URLSearchParams({ orgId: ids['org'] ?? '', organizationId: ids['org'] ?? '', siteId: ids['site'] ?? '', groupId: ids['group'] ?? '' });
    for (const route of lists) {
      for (const query of ['', `?${filter.toString()}`]) {
        const { status, body } = await tenancy.as(aPartnerAdmin(strangerId)).get(route.path + query);
        expect([route.path, status, body.data, body.pagination?.total ?? 0]).toEqual([route.path, 200, [], 0]);
      }
    }
  });

  it('answers 4xx, never 5xx, to ids that are none', async () => {
    for (const route of ofUsers().filter(({ path }) => path.includes('{id}'))) {
      for (const id of ['x', '%00', "1' OR '1'='1", 'null']) {
        const { status } = await call(tenancy.as(aPrincipal({ level: levelOf(route), partnerId: strangerId })), route, {}, encodeURIComponent(id));
        expect([route.path, id, status >= 400 && status < 500]).toEqual([route.path, id, true]);
      }
    }
  });
});

const snapshot = () => tenancy.service.sql(`
  SELECT (SELECT jsonb_agg(o ORDER BY id) FROM organizations o) AS o, (SELECT jsonb_agg(s ORDER BY id) FROM sites s) AS s, (SELECT jsonb_agg(c ORDER BY id) FROM contacts c) AS c,
         (SELECT jsonb_agg(d ORDER BY id) FROM devices d) AS d, (SELECT jsonb_agg(k ORDER BY id) FROM enrollment_keys k) AS k, (SELECT jsonb_agg(g ORDER BY id) FROM device_groups g) AS g,
         (SELECT jsonb_agg(p ORDER BY id) FROM configuration_policies p) AS p, (SELECT jsonb_agg(f ORDER BY id) FROM custom_fields f) AS f, (SELECT jsonb_agg(x ORDER BY id) FROM scripts x) AS x`);

describe('storage', () => {
  it('forces row security on every tenant table, and shows the runtime role nothing without a context', async () => {
    const tables = await tenancy.service.sql<{ name: string; forced: boolean }>(`
      SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced FROM pg_class c
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('partner_id', 'org_id') AND NOT a.attisdropped)`);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter(({ forced }) => !forced)).toEqual([]);
    const { requests } = tenancy.service.service.platform.store ?? {};
    for (const { name } of [...tables, { name: 'partners' }]) expect([name, await requests?.query(`SELECT * FROM ${name}`)]).toEqual([name, []]);
  });

  it('tells the other services everything again on demand, under the versions that hold', async () => {
    const { body } = await tenancy.service.asService('tenancy').post('/internal/tenancy/announcements');
    expect(body).toEqual({ partners: 2, organizations: 2, sites: 2, devices: 1 });
    expect((await tenancy.as(aPrincipal()).post('/internal/tenancy/announcements')).status).toBe(404);
  });
});
