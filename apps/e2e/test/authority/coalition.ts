import { covers, type Permission, PERMISSIONS } from '@gatehouse/contracts-core';
import type { Api } from '@gatehouse/stack';
import { type Arena, type Ground, idOf, unique } from './arena.ts';
import type { Dice } from './dice.ts';
import { authorityOf, sightsBeyond } from './measure.ts';
import { Person } from './person.ts';
import { type Authority, gains } from './places.ts';

const ROLES = [
  'Partner Admin',
  'Partner Technician',
  'Partner Viewer',
  'Organization Admin',
  'Organization Technician',
  'Organization Viewer',
];
/** Without one of these permissions the first guard refuses almost every attempt. */
const USEFUL: readonly Permission[] = ['users:write', 'organizations:write', 'devices:write'];

/** A session, and the authority that it held when the attackers obtained it. */
export interface Held {
  readonly api: Api;
  readonly authority: Authority;
}

const NOTHING: Authority = { permissions: [], reach: [] };

/** A group of attackers, with every session that they have obtained. */
export class Coalition {
  readonly people: Person[] = [];
  readonly sessions: Held[] = [];
  before: Authority[] = [];

  constructor(
    private readonly ground: Ground,
    private readonly arena: Arena,
    private readonly dice: Dice,
  ) {}

  /** The operator gives each of them a generated role at a generated place. */
  async gather(size: number): Promise<void> {
    const drafts = Array.from({ length: size }, () => this.draft());
    await Promise.all(drafts.map((draft) => this.invite(draft)));
    this.before = this.sessions.map(({ authority }) => authority);
    if (this.before.some(({ permissions }) => permissions.length === 0))
      throw new Error('an attacker has no session to begin with');
  }

  /** Picks mostly a session that holds the permission: the guards refuse the others early. */
  pick(permission: Permission | null): Held {
    const able = this.sessions.filter(
      ({ authority }) => permission !== null && covers(new Set(authority.permissions), permission),
    );
    return this.dice.one(able.length > 0 && this.dice.chance(0.85) ? able : this.sessions);
  }

  async keep(api: Api): Promise<void> {
    this.sessions.push({ api, authority: (await authorityOf(this.ground.operator, api)) ?? NOTHING });
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
        const authority = await authorityOf(operator, session);
        const sights = await sightsBeyond(this.arena.geography, this.before, session);
        return authority ? [...gains(this.arena.geography, this.before, authority), ...sights] : sights;
      }),
    );
    return [...new Set(found.flat())];
  }

  private draft(): { membership: Record<string, unknown>; role: string | Record<string, unknown> } {
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
      : dice.one(ROLES.filter((name) => name.startsWith(isPartner ? 'Partner' : 'Organization')));
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

  private async invite({ membership, role }: ReturnType<Coalition['draft']>): Promise<void> {
    const { operator, roles } = this.ground;
    const roleId = typeof role === 'string' ? roles.get(role) : idOf(await operator.must('POST', '/roles', role));
    const email = `${unique('attacker')}@evil.example`;
    const { data } = await operator.eventually<{ data: { id: string } }>('POST', '/users', {
      email,
      name: 'Attacker',
      membership: { ...membership, roleId },
    });
    this.arena.pools.add('user', data.id);
    if (typeof role !== 'string' && roleId) this.arena.pools.add('role', roleId);
    this.arena.pools.emails.push(email);
    await this.join(email);
  }
}
