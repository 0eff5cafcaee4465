import { type Permission, PERMISSIONS } from '@gatehouse/contracts-core';
import type { Claims, ScriptedIdp } from '@gatehouse/dev-idp';
import type { Api } from '@gatehouse/stack';
import type { Dice } from './dice.ts';
import type { Authority, Geography, Place } from './places.ts';

/** The kinds of things that have ids. */
export type Kind =
  | 'partner'
  | 'org'
  | 'site'
  | 'device'
  | 'user'
  | 'invitation'
  | 'membership'
  | 'role'
  | 'apiKey'
  | 'provider'
  | 'domain'
  | 'contact'
  | 'enrollmentKey'
  | 'group'
  | 'policy'
  | 'assignment'
  | 'field'
  | 'script'
  | 'rule'
  | 'replay'
  | 'signerGroup'
  | 'softwarePolicy'
  | 'freeze'
  | 'request'
  | 'approval'
  | 'setupLink'
  | 'subscription'
  | 'factor';

/** The ids that the attackers know: all of them, because no protection may depend on a secret id. */
export class Pools {
  private readonly ids = new Map<Kind, string[]>();
  private readonly places = new Map<string, Place>();
  /** Mail addresses of users, including the attackers' own. */
  readonly emails: string[] = [];
  /** Secrets of enrolment keys that the product showed to the attackers. */
  readonly enrollmentSecrets: string[] = [];

  /** @param place where the thing lies, if it lies in a particular place */
  add(kind: Kind, id: string, place?: Place): void {
    this.ids.set(kind, [...(this.ids.get(kind) ?? []), id]);
    if (place) this.places.set(id, place);
  }

  of(kind: Kind): readonly string[] {
    return this.ids.get(kind) ?? [];
  }

  placeOf(id: unknown): Place | undefined {
    return this.places.get(String(id));
  }

  copy(): Pools {
    const copy = new Pools();
    for (const [kind, ids] of this.ids) for (const id of ids) copy.add(kind, id, this.places.get(id));
    copy.emails.push(...this.emails);
    copy.enrollmentSecrets.push(...this.enrollmentSecrets);
    return copy;
  }
}

/** An id that no resource has. */
const NO_SUCH_ID = '00000000-0000-7000-8000-00000000dead';

/** The source of the addresses and bodies of attempts. */
export class Draw {
  /** The attacker who acts next: most attempts target places within their authority. */
  actor: { readonly api?: Api; readonly authority: Authority } = { authority: { permissions: [], reach: [] } };

  constructor(
    readonly dice: Dice,
    readonly pools: Pools,
    readonly idp: ScriptedIdp,
    private readonly world: { readonly honest: Claims; readonly geography: Geography },
  ) {}

  id(kind: Kind): string {
    const ids = this.pools.of(kind);
    if (ids.length === 0) return NO_SUCH_ID;
    const near = this.dice.chance(0.6) ? this.near(ids) : ids;
    // The newest ids belong to things that the attackers created; only with them can one step build on another.
    return this.dice.one(this.dice.chance(0.4) ? near.slice(-3) : near);
  }

  /** The part of a place that the actor reaches, or the place if there is none. */
  reachedPartOf(place: Place): Place {
    return this.actor.authority.reach.find((each) => this.world.geography.within(each, new Set([place]))) ?? place;
  }

  /** The ids within the actor's reach; all ids if there is none within it. */
  private near(ids: readonly string[]): readonly string[] {
    const reach = new Set(this.actor.authority.reach);
    const near = ids.filter((id) => {
      const place = this.pools.placeOf(id);
      return place === undefined || this.world.geography.within(place, reach);
    });
    return near.length > 0 ? near : ids;
  }

  ids(kind: Kind): string[] {
    const ids = [...new Set(this.pools.of(kind))];
    return this.dice.several(this.dice.chance(0.6) ? this.near(ids) : ids);
  }

  /** A member with an id, or none. */
  optional(name: string, kind: Kind): Record<string, string> {
    return this.flag() ? { [name]: this.id(kind) } : {};
  }

  /** To what a policy applies. */
  target(): { readonly level: string; readonly id: string } {
    const level = this.dice.one(['partner', 'organization', 'site', 'group', 'device'] as const);
    return { level, id: this.id(level === 'organization' ? 'org' : level) };
  }

  flag(): boolean {
    return this.dice.chance(0.5);
  }

  name(): string {
    return this.dice.word('authority');
  }

  permissions(): Permission[] {
    if (this.dice.chance(0.1)) return ['*'];
    const { permissions } = this.actor.authority;
    const among = permissions.length > 0 && this.dice.chance(0.6) ? permissions : PERMISSIONS;
    return this.dice.several(among, 1).slice(0, 1 + this.dice.below(4));
  }

  /** An address whose mail the attackers can read. */
  ownEmail(): string {
    return `${this.dice.word('accomplice')}@evil.example`;
  }

  email(): string {
    return this.dice.chance(0.4) ? this.ownEmail() : this.dice.one(this.pools.emails);
  }

  /** In most cases a membership of the actor's own kind, in a place that the actor reaches. */
  membership(): Record<string, unknown> {
    const { reach } = this.actor.authority;
    return this.dice.chance(0.6) && reach.length > 0 ? this.ownMembership(this.dice.one(reach)) : this.anyMembership();
  }

  private ownMembership(place: Place): Record<string, unknown> {
    const roleId = this.id('role');
    if (this.pools.of('partner').includes(place) && this.flag())
      return { scope: 'partner', partnerId: place, orgAccess: this.dice.one(['all', 'none']), roleId };
    const { geography } = this.world;
    const org = this.pools
      .of('org')
      .find(
        (each) =>
          each === place || geography.within(each, new Set([place])) || geography.within(place, new Set([each])),
      );
    const sites = this.pools
      .of('site')
      .filter((site) => geography.within(site, new Set([place])) && org && geography.within(site, new Set([org])));
    return {
      scope: 'organization',
      orgId: org,
      roleId,
      ...((this.flag() || place !== org) && { siteIds: [...new Set(sites)].slice(0, 1) }),
    };
  }

  private anyMembership(): Record<string, unknown> {
    const scope = this.dice.one(['partner', 'organization', 'organization', 'system']);
    const orgAccess = this.dice.one(['all', 'selected', 'none', undefined]);
    const partner = {
      partnerId: this.dice.chance(0.7) ? this.id('partner') : undefined,
      orgAccess,
      ...(orgAccess === 'selected' && { orgIds: this.ids('org') }),
    };
    const organization = { orgId: this.id('org'), ...(this.flag() && { siteIds: this.ids('site') }) };
    return {
      scope,
      roleId: this.id('role'),
      ...(scope === 'partner' && partner),
      ...(scope === 'organization' && organization),
    };
  }

  /** An organisation or the partner as the owner of a definition. */
  owner(): Record<string, unknown> {
    return this.dice.chance(0.3) ? { ownerScope: 'partner' } : { ownerScope: 'organization', orgId: this.id('org') };
  }

  /**
   * The identities that a hostile provider would try first: a user known to sign in through it, a user with a password,
   * a newcomer.
   */
  identities(): Claims[] {
    const { sub, email } = this.world.honest;
    const said = { email_verified: true, name: 'Mallory', amr: ['pwd', 'mfa'] };
    return [
      { ...said, sub, email },
      { ...said, sub: 'attacker', email: this.dice.one(this.pools.emails) },
      { ...said, sub: this.dice.word('sub'), email: this.ownEmail() },
    ];
  }

  /** The identity that the hostile provider asserts. */
  identity(): Claims {
    const sub = this.dice.one(['attacker', this.dice.word('sub'), String(this.world.honest['sub'])]);
    const amr = this.flag() ? ['pwd', 'mfa'] : ['pwd'];
    return { sub, email: this.email(), email_verified: this.dice.chance(0.9), name: 'Mallory', amr };
  }
}
