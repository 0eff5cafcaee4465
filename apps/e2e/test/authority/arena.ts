import type { MembershipRecord } from '@gatehouse/contracts-identity';
import type { Claims, ScriptedIdp } from '@gatehouse/dev-idp';
import type { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { Pools, type Kind } from './draw.ts';
import type { Mailbox } from './mailbox.ts';
import { EVERYWHERE, Geography, type Place } from './places.ts';
import { signInThrough } from './round-trip.ts';

export interface Ground {
  readonly operator: Api;
  readonly anonymous: Api;
  readonly mailbox: Mailbox;
  /** System roles by name. */
  readonly roles: ReadonlyMap<string, string>;
  /** Whether pushes go to a subscription. */
  readonly isPushed: (subscriptionId: string) => Promise<boolean>;
  /** A well-behaved provider that its organisation rightly trusts. */
  readonly honestIdp: ScriptedIdp;
  readonly foreign: {
    readonly partnerId: string;
    readonly orgId: string;
    readonly siteId: string;
    readonly userId: string;
    /** Its administrator's session. */
    readonly api: Api;
  };
}

/** A tenant that the attackers may attack without limits. */
export interface Arena {
  readonly partnerId: string;
  readonly orgs: readonly string[];
  readonly sites: readonly string[];
  readonly pools: Pools;
  readonly geography: Geography;
  readonly providerId: string;
  /** The settings of the honest provider at the beginning. */
  readonly trust: string;
  /** The identity at the honest provider of an administrator without a password. */
  readonly honest: Claims;
}

/** The id of the record that a route created, in whichever envelope the route answers. */
export function idOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const envelopes = [
    body,
    ...['data', 'rule', 'signerGroup', 'softwarePolicy', 'freeze'].map(
      (name) => body[name] as Record<string, unknown> | undefined,
    ),
  ];
  return envelopes
    .flatMap((each) => [each?.['id'], each?.['jobId'], each?.['deviceId']])
    .find((id) => typeof id === 'string');
}

export const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;

class Builder {
  readonly pools = new Pools();
  readonly geography = new Geography();

  constructor(private readonly ground: Ground) {}

  async make(kind: Kind, path: string, body: object, place?: Place): Promise<string> {
    const id = idOf(await this.ground.operator.eventually('POST', path, body));
    if (!id) throw new Error(`${path} made nothing with an id`);
    this.pools.add(kind, id, place ?? id);
    if (place && (kind === 'org' || kind === 'site')) this.geography.add(id, place);
    return id;
  }

  async organization(partnerId: string, name: string): Promise<string> {
    const slug = unique(name);
    const orgId = await this.make('org', '/orgs/organizations', { partnerId, name, slug }, partnerId);
    this.pools.add('org', orgId, orgId);
    return orgId;
  }

  /** @returns the id of the site */
  async site(orgId: string): Promise<string> {
    const { operator } = this.ground;
    const siteId = await this.make('site', '/orgs/sites', { orgId, name: unique('site') }, orgId);
    this.pools.add('site', siteId, siteId);
    const made = await operator.must<{ id: string; key: string }>('POST', '/enrollment-keys', {
      orgId,
      siteId,
      name: 'arena',
    });
    this.pools.add('enrollmentKey', made.id, siteId);
    const device = await this.ground.anonymous.must<{ deviceId: string }>('POST', '/agents/enroll', {
      enrollmentKey: made.key,
      hostname: 'pc-1',
      osType: 'windows',
    });
    this.pools.add('device', device.deviceId, siteId);
    return siteId;
  }

  async thingsOf(orgId: string): Promise<void> {
    const owned = { ownerScope: 'organization', orgId };
    await Promise.all([
      this.make('contact', `/orgs/organizations/${orgId}/contacts`, { name: 'Ann' }, orgId),
      this.make('group', '/device-groups', { orgId, name: unique('group') }, orgId),
      this.make('policy', '/configuration-policies', { name: 'arena', features: {}, ...owned }, orgId),
      this.make('field', '/custom-fields', { name: 'Planted', fieldKey: 'planted', type: 'text', ...owned }, orgId),
      this.make('script', '/scripts', { orgId, name: unique('script'), content: 'exit 0' }, orgId),
      this.make('role', '/roles', { name: unique('role'), axis: 'organization', orgId, permissions: ['*'] }, orgId),
      this.make('rule', '/pam/rules', { orgId, name: 'arena', verdict: 'auto_deny', matchPathGlob: 'C:\\**' }, orgId),
      this.make(
        'softwarePolicy',
        '/pam/software-policies',
        { name: 'arena', mode: 'audit', target: { level: 'organization', id: orgId }, rules: [] },
        orgId,
      ),
      this.make('domain', '/sso/domains', { orgId, domain: `${unique('owned')}.example` }, orgId),
    ]);
  }

  /** Creates a user whose password the attackers do not know. @param accepts false: the invitation stays open */
  async victim(roleName: string, membership: object, place: Place, accepts = true): Promise<string> {
    const { anonymous, mailbox, roles } = this.ground;
    const email = `${unique('victim')}@victim.example`;
    const id = await this.make(
      'user',
      '/users',
      { email, name: 'Victim', membership: { ...membership, roleId: roles.get(roleName) } },
      place,
    );
    this.pools.emails.push(email);
    if (accepts)
      await anonymous.must('POST', '/auth/accept-invite', {
        token: await mailbox.invitation(email),
        password: `a secret ${randomUUID()}`,
      });
    else this.pools.add('invitation', id, place);
    return id;
  }

  /** Creates a working provider of the organisation, with one administrator who signs in only through it. */
  async trustedProvider(orgId: string): Promise<{ providerId: string; honest: Claims }> {
    const { operator, anonymous, honestIdp, roles } = this.ground;
    const { issuer, clientId, clientSecret } = honestIdp;
    const draft = {
      orgId,
      name: 'Honest',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret,
      autoProvision: true,
      defaultRoleId: roles.get('Organization Admin'),
    };
    const providerId = await this.make('provider', '/sso/providers', draft, orgId);
    await operator.must('POST', `/sso/providers/${providerId}/status`, { status: 'active' });
    const email = `${unique('linked')}@victim.example`;
    const honest = { sub: unique('honest'), email, email_verified: true, name: 'Linked' };
    this.pools.emails.push(email);
    await signInThrough(anonymous, `/sso/login/${orgId}`, honestIdp, honest);
    return { providerId, honest };
  }
}

/** Builds one arena at a time, because the honest provider signs in the identity that was set last. */
let building: Promise<unknown> = Promise.resolve();

export function makeArena(ground: Ground): Promise<Arena> {
  const made = building.then(() => buildArena(ground));
  building = made.catch(() => undefined);
  return made;
}

async function buildArena(ground: Ground): Promise<Arena> {
  const builder = new Builder(ground);
  const { pools, geography } = builder;
  const name = unique('arena');
  const partnerId = await builder.make('partner', '/orgs/partners', { name, slug: name, status: 'active' });
  geography.add(partnerId, EVERYWHERE);
  const orgs = await Promise.all(['a', 'b'].map((each) => builder.organization(partnerId, each)));
  const [a = '', b = ''] = orgs;
  const sites = await Promise.all([a, a, b].map((org) => builder.site(org)));
  await Promise.all(orgs.map((org) => builder.thingsOf(org)));
  await Promise.all([
    builder.make('role', '/roles', { name: unique('role'), axis: 'partner', partnerId, permissions: ['*'] }, partnerId),
    builder.victim('Partner Admin', { scope: 'partner', partnerId, orgAccess: 'all' }, partnerId),
    builder.victim('Partner Admin', { scope: 'partner', partnerId, orgAccess: 'all' }, partnerId, false),
    builder.victim('Organization Admin', { scope: 'organization', orgId: a }, a),
    builder.victim('Organization Admin', { scope: 'organization', orgId: b }, b),
  ]);
  const { providerId, honest } = await builder.trustedProvider(a);
  for (const id of ground.roles.values()) pools.add('role', id);
  addForeign(pools, geography, ground);
  return {
    partnerId,
    orgs,
    sites,
    pools,
    geography,
    providerId,
    honest,
    trust: await trustIn(ground.operator, providerId),
  };
}

function addForeign(
  pools: Pools,
  geography: Geography,
  { foreign: { partnerId, orgId, siteId, userId } }: Ground,
): void {
  geography.add(partnerId, EVERYWHERE);
  geography.add(orgId, partnerId);
  geography.add(siteId, orgId);
  for (const [kind, id, place] of [
    ['partner', partnerId, partnerId],
    ['org', orgId, orgId],
    ['site', siteId, siteId],
    ['user', userId, orgId],
  ] as const)
    pools.add(kind, id, place);
}

/** Whether the tenant is still as it was built; additions by the attackers do not matter. */
export async function isWhole(
  { operator }: Ground,
  { partnerId, orgs, sites, pools, providerId, trust }: Arena,
): Promise<boolean> {
  const { body } = await operator.call('GET', `/orgs/organizations?partnerId=${partnerId}&limit=100`);
  const living = new Map((body['data'] as { id: string; status: string }[]).map(({ id, status }) => [id, status]));
  const statuses = await Promise.all(
    sites.map(async (site) => (await operator.call('GET', `/orgs/sites/${site}`)).status),
  );
  const victims = await Promise.all(pools.of('user').map((id) => isThere(operator, id, pools.placeOf(id))));
  return (
    orgs.every((org) => living.get(org) === 'active') &&
    statuses.every((status) => status === 200) &&
    victims.every(Boolean) &&
    (await trustIn(operator, providerId)) === trust
  );
}

/** Whether a user, or an open invitation, still belongs to the place for which it was created. */
async function isThere(operator: Api, id: string, place: Place | undefined): Promise<boolean> {
  const { body } = await operator.call('GET', `/users/${id}`);
  const { memberships = [] } = (body['data'] ?? {}) as { memberships?: MembershipRecord[] };
  return memberships.some(({ partnerId, orgId }) => place === (orgId ?? partnerId));
}

/** The settings that an attack on a provider would change. */
export async function trustIn(operator: Api, providerId: string): Promise<string> {
  const { body } = await operator.call('GET', `/sso/providers/${providerId}`);
  const { status, issuer, enforceSSO, configVersion } = (body['data'] ?? {}) as Record<string, unknown>;
  return JSON.stringify([status, issuer, enforceSSO, configVersion]);
}
