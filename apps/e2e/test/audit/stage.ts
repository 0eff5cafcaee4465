import { type SamlIdp, type ScriptedIdp, startSamlIdp, startScriptedIdp } from '@gatehouse/dev-idp';
import { type FakeDns, startFakeDns } from '@gatehouse/testing';
import { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeTenant, partnerAdministrator, startWorld, type Tenant, until, type World } from '../world.ts';
import { SYSTEM_ACTOR, type Person, type Place, Recorder } from './recorder.ts';

export const NOWHERE: Place = { partnerId: null, orgId: null };

/** The product, a tenant, and the users of the test. */
export interface Stage {
  readonly world: World;
  readonly idp: ScriptedIdp;
  readonly saml: SamlIdp;
  /** A push endpoint that accepts every push. */
  readonly phone: string;
  readonly dns: FakeDns;
  readonly tenant: Tenant;
  readonly ofPartner: Place;
  readonly log: Recorder;
  /** The operator, a partner's administrator and a device's agent, each with everything that their routes require. */
  readonly system: Person;
  readonly boss: Person;
  readonly agent: Person;
  readonly anonymous: Person;
  /** Ids of the system roles. */
  readonly roles: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export const unique = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`;

export async function personOf(api: Api): Promise<Person> {
  const { user } = await api.eventually<{ user: { id: string } }>('GET', '/auth/me');
  return { api, actor: { type: 'user', id: user.id } };
}

async function rolesOf(admin: Api): Promise<Map<string, string>> {
  const lists = await Promise.all(
    ['partner', 'organization'].map((axis) =>
      admin.must<{ data: { id: string; name: string }[] }>('GET', `/roles?axis=${axis}`),
    ),
  );
  return new Map(lists.flatMap(({ data }) => data.map(({ id, name }) => [name, id] as const)));
}

async function startPhone(): Promise<{ server: Server; address: string }> {
  const server = createServer(
    (incoming, response) => void incoming.resume().on('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const nameless = { email_verified: true, name: 'Ada' };

export async function setStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const [idp, saml, dns, phone] = await Promise.all([
    startScriptedIdp({ clientSecret: randomUUID(), identity: { ...nameless, sub: 'ada', email: 'ada@acme.example' } }),
    startSamlIdp({ users: [{ ...nameless, sub: 'sam', email: `${unique('sam')}@acme.example` }], autoLogin: true }),
    startFakeDns(),
    startPhone(),
  ]);
  const hosts = [new URL(idp.issuer).host, new URL(saml.ssoUrl).host, phone.address].join(',');
  const world = await startWorld({
    EGRESS_ALLOW_HOSTS: hosts,
    EGRESS_ALLOW_HTTP: 'true',
    DNS_SERVERS: dns.address,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    ...settings,
  });
  const tenant = await makeTenant(world.admin);
  const ofPartner = { partnerId: tenant.partnerId, orgId: null };
  const { baseUrl } = world.product;
  return {
    world,
    idp,
    saml,
    dns,
    tenant,
    ofPartner,
    phone: `http://${phone.address}/push`,
    log: new Recorder(baseUrl, { partnerId: tenant.partnerId, orgId: tenant.orgId }),
    system: await personOf(world.admin),
    boss: await personOf(await partnerAdministrator(world, tenant.partnerId)),
    agent: { api: new Api(baseUrl, tenant.agentToken), actor: { type: 'agent', id: tenant.deviceId } },
    anonymous: { api: new Api(baseUrl), actor: SYSTEM_ACTOR },
    roles: await rolesOf(world.admin),
    stop: async () => {
      await world.stop();
      await Promise.all([idp.stop(), saml.stop(), dns.stop()]);
      phone.server.close();
    },
  };
}

/** A user of the tenant with a password and no second factor, created without the recorder. */
export async function invited(
  { world, roles, tenant }: Stage,
  roleName: string,
  membership: object = { scope: 'partner', partnerId: tenant.partnerId, orgAccess: 'all' },
): Promise<{ person: Person; email: string; password: string }> {
  const email = `${unique('person')}@example.test`;
  const password = `a long passphrase ${randomUUID()}`;
  await world.admin.eventually('POST', '/users', {
    email,
    name: 'Person',
    membership: { ...membership, roleId: roles.get(roleName) },
  });
  const token = await until(() => world.invitationFor(email));
  const { accessToken } = await world.admin
    .as('')
    .must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password });
  return { person: await personOf(world.admin.as(accessToken)), email, password };
}
