import type { Permission } from '@gatehouse/contracts-core';
import type { FakeDns } from '@gatehouse/testing';
import type { Claims, ScriptedIdp } from '@gatehouse/dev-idp';
import { ROUTES } from '../audit/contract.ts';
import { type Arena, type Ground, idOf } from './arena.ts';
import type { Attempt } from './attempt.ts';
import { ATTEMPTS } from './attempts.ts';
import { Coalition, type Held } from './coalition.ts';
import type { Dice } from './dice.ts';
import { Draw, type Kind } from './draw.ts';
import { placesOf } from './places.ts';
import { actedAt, type Json, placesChanged, type Request, requestOf } from './request.ts';
import { linkThrough, signInThrough } from './round-trip.ts';

/** How often each route ended in which result: `success`, or the code of a problem. */
export type Tally = Map<string, Record<string, number>>;

export interface Outcome {
  readonly steps: number;
  /** Violations, each with the step or the measurement that showed it. */
  readonly faults: string[];
  /** The steps, for the report of a violation. */
  readonly trace: string[];
}

export interface Battle {
  readonly ground: Ground;
  readonly arena: Arena;
  readonly idp: ScriptedIdp;
  readonly dns: FakeDns;
  readonly dice: Dice;
  readonly tally: Tally;
}

const PERMISSION_OF = new Map(
  ROUTES.map(({ route, permission }) => [route, permission as Permission | null | undefined]),
);
/** The deck contains every attempt, the important ones several times, and round trips through the provider. */
const DECK: readonly (Attempt | 'sign-in' | 'link')[] = [
  ...ATTEMPTS.flatMap((attempt) => Array.from({ length: attempt.times }, () => attempt)),
  ...Array<'sign-in'>(10).fill('sign-in'),
  'link',
  'link',
];

const TRUSTING = new Set([
  'POST /sso/providers',
  'PATCH /sso/providers/{id}',
  'POST /sso/providers/{id}/status',
  'PUT /sso/providers/{id}/enforcement',
]);

/** The generated steps of one coalition, one after the other. */
export class Sequence {
  private readonly faults: string[] = [];
  private readonly trace: string[] = [];
  private readonly coalition: Coalition;
  private readonly draw: Draw;

  constructor(private readonly battle: Battle) {
    const { ground, arena, idp, dice } = battle;
    const own = { ...arena, pools: arena.pools.copy() };
    this.coalition = new Coalition(ground, own, dice);
    this.draw = new Draw(dice, own.pools, idp, arena);
  }

  /** @param next the next card of the arena's deck */
  async run(steps: number, next: () => Attempt | 'sign-in' | 'link'): Promise<Outcome> {
    await this.coalition.gather(2 + this.battle.dice.below(2));
    this.trace.push(...this.coalition.before.map((authority) => `held: ${JSON.stringify(authority)}`));
    for (let step = 0; step < steps; step++) await this.step(next());
    this.faults.push(...(await this.coalition.gained()));
    await this.tidy();
    return { steps, faults: this.faults, trace: this.trace };
  }

  private async step(card: Attempt | 'sign-in' | 'link'): Promise<void> {
    if (card === 'sign-in') return this.signIn();
    const held = this.coalition.pick(card === 'link' ? null : (PERMISSION_OF.get(card.route) ?? null));
    this.draw.actor = held.authority;
    if (card === 'link') return linkThrough(held.api, this.draw.id('provider'), this.battle.idp, this.draw.identity());
    return this.attempt(held, card);
  }

  private async attempt(held: Held, attempt: Attempt): Promise<void> {
    const request = requestOf(attempt, this.draw);
    const { method, path, sent } = request;
    const { status, body } = await held.api.call(method, path, sent);
    const outcome = status < 300 ? 'success' : String(body['code']);
    this.count(attempt.route, outcome);
    const who = this.coalition.sessions.indexOf(held);
    this.trace.push(`${who} ${method} ${path} ${JSON.stringify(sent ?? null)} → ${status} ${outcome}`);
    if (status >= 500) this.faults.push(`${attempt.route} answered ${status}`);
    if (status >= 300) return;
    this.judge(request, body);
    this.learn(request, body);
    this.merge(request);
    await this.use(held, request, body);
  }

  /** A successful change must lie where an attacker held the permission of the route. */
  private judge(request: Request, answer: Json): void {
    const { route } = request.attempt;
    const permission = PERMISSION_OF.get(route);
    if (!permission) return;
    const held = placesOf(this.coalition.before, permission);
    const beyond = placesChanged(request, answer, this.draw).filter(
      (place) => !this.battle.arena.geography.within(place, held),
    );
    if (beyond.length > 0)
      this.faults.push(`${route} changed ${beyond.join(', ')} without ${permission} there: ${this.trace.at(-1) ?? ''}`);
  }

  private learn({ attempt, sent = {} }: Request, body: Json): void {
    const { makes } = attempt;
    if (typeof body['key'] === 'string') this.draw.pools.enrollmentSecrets.push(body['key']);
    const id = idOf(body) ?? (body['deviceId'] as string | undefined);
    if (!makes || !id) return;
    const place = (
      sent['ownerScope'] === 'partner' ? this.battle.arena.partnerId : (sent['siteId'] ?? sent['orgId'])
    ) as string | undefined;
    this.draw.pools.add(makes, id, place && actedAt(attempt, place, this.draw));
    this.map(makes, id, (sent['partnerId'] ?? place) as string | undefined);
  }

  /** Records that the merged organisation now lies in the survivor; the attacker reached both. */
  private merge({ attempt: { route }, params, sent }: Request): void {
    if (route === 'POST /orgs/organizations/{id}/merge')
      this.battle.arena.geography.add(params['id'] ?? '', String(sent?.['survivorId']));
  }

  private map(makes: Kind, id: string, parent: string | undefined): void {
    const { geography, partnerId } = this.battle.arena;
    if (makes === 'org') geography.add(id, parent ?? partnerId);
    if (makes === 'site' && parent) geography.add(id, parent);
  }

  /** Gives the attackers the ids and tokens of a successful answer. */
  private async use(held: Held, { attempt: { route }, params, sent = {} }: Request, body: Json): Promise<void> {
    const data = (body['data'] ?? {}) as Json;
    if (route === 'POST /api-keys') this.keepKey(held, sent, data);
    if (route === 'POST /sso/domains') this.publish(data);
    if (route === 'POST /users') await this.welcome(String(sent['email']), data);
    if (TRUSTING.has(route)) await this.exploit(params['id'] ?? idOf(body) ?? '');
  }

  /** Publishes the DNS record if the domain is the one that the attackers own. */
  private publish({ domain, recordName, recordValue }: Json): void {
    if (domain === 'evil.example') this.battle.dns.records[String(recordName)] = { TXT: [String(recordValue)] };
  }

  /** Accepts an invitation to an attacker's address at once; an invitation to another address stays open. */
  private async welcome(email: string, { id, status }: Json): Promise<void> {
    const { pools } = this.draw;
    const isOwn = email.endsWith('@evil.example');
    // An existing account keeps its id, which the attackers know already.
    if (!this.coalition.has(email)) pools.add('user', String(id));
    if (status !== 'invited') return;
    if (!isOwn) return pools.add('invitation', String(id));
    pools.emails.push(email);
    await this.coalition
      .join(email)
      .then(() => this.count('POST /auth/accept-invite', 'success'))
      .catch((error: unknown) => this.trace.push(`${email} could not join: ${String(error).slice(0, 200)}`));
  }

  private keepKey({ authority: { reach } }: Held, { permissions }: Json, { key }: Json): void {
    const api = this.battle.ground.anonymous.as(String(key));
    this.coalition.sessions.push({ api, authority: { permissions: permissions as Permission[], reach } });
  }

  /** Signs in at once through a provider that was just changed, as every identity that it could assert. */
  private async exploit(providerId: string): Promise<void> {
    const { partnerId } = this.battle.arena;
    const owner = this.draw.pools.placeOf(providerId) ?? partnerId;
    for (const identity of this.draw.identities())
      await this.signInAt(owner === partnerId ? `/sso/login/partner/${owner}` : `/sso/login/${owner}`, identity);
  }

  private async signIn(): Promise<void> {
    const start = this.battle.dice.chance(0.8)
      ? `/sso/login/${this.draw.id('org')}`
      : `/sso/login/partner/${this.draw.id('partner')}`;
    await this.signInAt(start, this.draw.identity());
  }

  private async signInAt(start: string, identity: Claims): Promise<void> {
    const {
      ground: { anonymous },
      idp,
    } = this.battle;
    const session = await signInThrough(anonymous, start, idp, identity);
    this.count(
      start.includes('partner') ? 'GET /sso/login/partner/{partnerId}' : 'GET /sso/login/{orgId}',
      session === null ? 'refused' : 'success',
    );
    this.trace.push(
      `GET ${start} as ${String(identity['email'])} (${String(identity['sub'])}) → ${session ? 'signed in' : 'refused'}`,
    );
    if (session) await this.coalition.keepSignedIn(session);
  }

  private count(route: string, outcome: string): void {
    const known = this.battle.tally.get(route) ?? {};
    this.battle.tally.set(route, { ...known, [outcome]: (known[outcome] ?? 0) + 1 });
  }

  /** Removes the attackers' providers, which would otherwise govern the next attackers. */
  private async tidy(): Promise<void> {
    const {
      ground: { operator },
      arena,
    } = this.battle;
    const made = this.draw.pools.of('provider').filter((id) => id !== arena.providerId);
    await Promise.all(made.map((id) => operator.call('DELETE', `/sso/providers/${id}`)));
  }
}

/** Deals the whole deck in a new order each time, so that each route comes up regularly. */
export function dealer(dice: Dice): () => Attempt | 'sign-in' | 'link' {
  let cards: (Attempt | 'sign-in' | 'link')[] = [];
  return () => {
    if (cards.length === 0) cards = dice.shuffled(DECK);
    return cards.pop() as Attempt | 'sign-in' | 'link';
  };
}
