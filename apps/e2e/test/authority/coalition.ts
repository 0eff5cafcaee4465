import { covers, type Permission, PERMISSIONS } from '@gatehouse/contracts-core';
import type { ScriptedIdp } from '@gatehouse/dev-idp';
import type { Api } from '@gatehouse/stack';
import { type Arena, type Ground, idOf, unique } from './arena.ts';
import type { Dice } from './dice.ts';
import { sightsBeyond, type Standing, standingOf } from './measure.ts';
import { Person } from './person.ts';
import { type Authority, gains } from './places.ts';
import { signInThrough } from './round-trip.ts';

/** Without one of these permissions the first guard refuses almost every attempt. */
const USEFUL: readonly Permission[] = ['users:write', 'organizations:write', 'devices:write'];

/** A session or an API key, and what it held when the attackers obtained it. */
export interface Held {
  readonly api: Api;
  readonly authority: Standing;
  /** Whose idempotency keys it uses: a membership's, a membership's in a provider's sessions, or an API key's. */
  readonly keysOf: string;
}

/** A membership to be offered; the role is one of the system's by name, or a new one. */
interface Draft {
  readonly membership: Record<string, unknown>;
  readonly role: string | Record<string, unknown>;
}

/** A group of attackers, with every session that they have obtained. */
export class Coalition {
  readonly people: Person[] = [];
  readonly sessions: Held[] = [];
  before: Authority[] = [];
  /** The provider of the employer of one of them, if they have one. */
  employer: { readonly id: string; readonly employee: string } | undefined;

  constructor(
    private readonly ground: Ground,
    private readonly arena: Arena,
    private readonly dice: Dice,
  ) {}

  /**
   * The operator gives each of them a generated role at a generated place, some of them a second membership, and trusts
   * the provider of an employer of theirs, which is honest.
   */
  async gather(size: number, employer?: ScriptedIdp): Promise<void> {
    const drafts = Array.from({ length: size }, (): [Draft, Draft?] => [
      this.draft(),
      this.dice.chance(0.5) ? this.draft() : undefined,
    ]);
    await Promise.all(drafts.map((draft) => this.invite(draft)));
    const policy = { levels: [], default: { approvals: 2 } };
    if (this.dice.chance(0.5))
      await this.ground.operator.eventually('PUT', `/pam/approval-policy?orgId=${this.arena.orgs[0]}`, policy);
    if (employer && this.dice.chance(0.6)) await this.employ(employer);
    this.before = this.sessions.map(({ authority }) => authority);
    if (this.before.length < size) throw new Error('an attacker has no session to begin with');
  }

  /** Picks mostly a session that holds the permission: the guards refuse the others early. */
  pick(permission: Permission | null): Held {
    const able = this.sessions.filter(
      ({ authority }) => permission !== null && covers(new Set(authority.permissions), permission),
    );
    return this.dice.one(able.length > 0 && this.dice.chance(0.85) ? able : this.sessions);
  }

  /** @param held the session that this one replaces */
  async keep(api: Api, held?: Held): Promise<void> {
    const authority = await standingOf(this.ground.operator, api);
    if (!authority) return;
    const { user, membershipId, viaProvider } = authority;
    const at = held ? this.sessions.indexOf(held) : this.sessions.length;
    this.sessions[at] = { api, authority, keysOf: `${user.id}@${membershipId}${viaProvider ? '/provider' : ''}` };
    this.arena.pools.add('membership', membershipId);
  }

  /** Keeps an API key. @returns whether it acts as its owner */
  async keepKey({ authority }: Held, permissions: Permission[], key: string): Promise<boolean> {
    const api = this.ground.anonymous.as(key);
    this.sessions.push({ api, authority: { ...authority, permissions }, keysOf: key });
    const standing = await standingOf(this.ground.operator, api);
    return standing === null || standing.user.email === authority.user.email;
  }

  /**
   * A provider's sign-in counts as a second factor only if the provider is trusted; otherwise the attackers enrol one
   * where they may.
   */
  async keepSignedIn(api: Api): Promise<void> {
    const person = await Person.withPasskey(api, '').catch(() => null);
    await this.keep(person?.api ?? api);
  }

  has(email: string): boolean {
    return this.people.some((person) => person.email === email);
  }

  /** Accepts the invitation that was mailed to an attacker or to a newcomer, who then joins the group. */
  async join(email: string): Promise<void> {
    const { anonymous, mailbox } = this.ground;
    const known = this.people.find((person) => person.email === email);
    if (known) {
      const session = await known.acceptMore(anonymous, mailbox);
      if (session) await this.keep(session);
      return;
    }
    const person = await Person.accept(anonymous, mailbox, email);
    this.people.push(person);
    await this.keep(person.api);
  }

  /** Everything that a session of theirs, or a new one, holds or sees beyond what they held in the beginning. */
  async gained(): Promise<string[]> {
    const { operator, anonymous } = this.ground;
    const fresh = await Promise.all(this.people.map((person) => person.signIn(anonymous)));
    const found = await Promise.all(
      [...this.sessions.map(({ api }) => api), ...fresh.flat()].map(async (session) => {
        const authority = await standingOf(operator, session);
        const sights = await sightsBeyond(this.arena.geography, this.before, session);
        return authority ? [...gains(this.arena.geography, this.before, authority), ...sights] : sights;
      }),
    );
    return [...new Set(found.flat())];
  }

  private draft(): Draft {
    const {
      dice,
      arena: { partnerId, orgs, sites },
    } = this;
    const isPartner = dice.chance(0.5);
    const axis = isPartner ? 'partner' : 'organization';
    const [orgId, own] = dice.one([
      [orgs[0], sites.slice(0, 2)],
      [orgs[1], sites.slice(2)],
    ] as const);
    const permissions = [
      ...new Set([...dice.several(PERMISSIONS.filter((each) => each !== '*')).slice(0, 5), dice.one(USEFUL)]),
    ];
    const custom = { name: unique('generated'), axis, permissions, partnerId, ...(!isPartner && { orgId }) };
    const role = dice.chance(0.7)
      ? custom
      : dice.one(
          [...this.ground.roles.keys()].filter((name) => name.startsWith(isPartner ? 'Partner' : 'Organization')),
        );
    const orgAccess = dice.one(['all', 'selected', 'selected', 'none']);
    const partner = {
      scope: 'partner',
      partnerId,
      orgAccess,
      ...(orgAccess === 'selected' && { orgIds: dice.several(orgs, 1) }),
    };
    return {
      membership: isPartner
        ? partner
        : { scope: 'organization', orgId, ...(dice.chance(0.4) && { siteIds: [dice.one(own)] }) },
      role,
    };
  }

  private async invite([first, second]: [Draft, Draft?]): Promise<void> {
    const { operator, anonymous } = this.ground;
    const email = `${unique('attacker')}@evil.example`;
    const offer = async ({ membership, role }: Draft) => {
      const roleId =
        typeof role === 'string' ? this.ground.roles.get(role) : idOf(await operator.must('POST', '/roles', role));
      if (typeof role !== 'string' && roleId) this.arena.pools.add('role', roleId);
      return { email, name: email, membership: { ...membership, roleId } };
    };
    const { data } = await operator.eventually<{ data: { id: string } }>('POST', '/users', await offer(first));
    this.arena.pools.add('user', data.id);
    this.arena.pools.emails.push(email);
    await this.join(email);
    // Refused where both lie in one tenant.
    if (!second || (await operator.call('POST', '/users', await offer(second))).status >= 300) return;
    const person = this.people.find((each) => each.email === email);
    for (const session of (await person?.signIn(anonymous)) ?? []) await this.keep(session);
  }

  /** Makes one of them an employee of the second organisation, who signs in through its provider alone. */
  private async employ(idp: ScriptedIdp): Promise<void> {
    const { operator, anonymous, roles } = this.ground;
    const orgId = this.arena.orgs[1] ?? '';
    const { issuer, clientId, clientSecret } = idp;
    const trust = { autoProvision: true, trustsIdpMfa: true };
    const defaultRoleId = roles.get(this.dice.one(['Organization Admin', 'Organization Technician']));
    const draft = { orgId, name: 'Employer', type: 'oidc', issuer, clientId, clientSecret, ...trust, defaultRoleId };
    const id = idOf(await operator.must('POST', '/sso/providers', draft)) ?? '';
    await operator.must('POST', `/sso/providers/${id}/status`, { status: 'active' });
    await operator.eventually('PUT', `/pam/approval-policy?orgId=${orgId}`, { levels: [], default: { approvals: 2 } });
    this.arena.pools.add('provider', id, orgId);
    const email = `${unique('employee')}@evil.example`;
    this.employer = { id, employee: email };
    const identity = { sub: email, email, email_verified: true, name: email, amr: ['pwd', 'mfa'] };
    const session = await signInThrough(anonymous, `/sso/login/${orgId}`, idp, identity);
    if (!session) throw new Error('the employee could not sign in');
    await this.keep(session);
  }
}
