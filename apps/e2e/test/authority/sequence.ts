import type { Permission } from '@gatehouse/contracts-core';
import type { ApiAnswer } from '@gatehouse/stack';
import type { FakeDns } from '@gatehouse/testing';
import type { Claims, ScriptedIdp } from '@gatehouse/dev-idp';
import { ROUTES } from '../audit/contract.ts';
import { type Arena, type Ground, idOf, trustIn } from './arena.ts';
import type { Attempt } from './attempt.ts';
import { ATTEMPTS } from './attempts.ts';
import { Coalition, type Held } from './coalition.ts';
import type { Dice } from './dice.ts';
import { Draw, type Kind } from './draw.ts';
import { LAST_ATTEMPTS, type Making, Makings } from './makings.ts';
import { sessionIn } from './person.ts';
import { placesOf } from './places.ts';
import { actedAt, type Json, placesChanged, type Request, requestOf } from './request.ts';
import { linkThrough, signInThrough } from './round-trip.ts';
import { Votes } from './votes.ts';

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
  /** The honest provider of an attacker's employer. */
  readonly employer: ScriptedIdp;
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

/** The routes that answer with the tokens of a session that replaces the caller's. */
const CONFLICT = 409;
const REPLACING = ['POST /auth/refresh', 'POST /auth/membership'];
/** The codes that tell a caller that another request came under the same key. */
const KEY_IS_USED = ['idempotency_key_reused', 'idempotency_secret_shown'];

/** The generated steps of one coalition, one after the other. */
export class Sequence {
  private readonly faults: string[] = [];
  private readonly trace: string[] = [];
  private readonly coalition: Coalition;
  private readonly draw: Draw;
  private readonly makings: Makings;
  private readonly votes = new Votes();

  constructor(private readonly battle: Battle) {
    const { ground, arena, idp, dice } = battle;
    const own = { ...arena, pools: arena.pools.copy() };
    this.coalition = new Coalition(ground, own, dice);
    this.draw = new Draw(dice, own.pools, idp, arena);
    this.makings = new Makings(ground);
  }

  /** @param next the next card of the arena's deck */
  async run(steps: number, next: () => Attempt | 'sign-in' | 'link'): Promise<Outcome> {
    await this.coalition.gather(2 + this.battle.dice.below(2), this.battle.employer);
    this.trace.push(...this.coalition.before.map((authority) => `held: ${JSON.stringify(authority)}`));
    for (let step = 0; step < steps; step++) await this.step(next());
    this.faults.push(...(await this.coalition.gained()));
    await this.endProviders();
    return { steps, faults: this.faults, trace: this.trace };
  }

  private async step(card: Attempt | 'sign-in' | 'link'): Promise<void> {
    if (card === 'sign-in') return this.signIn();
    const held = this.coalition.pick(card === 'link' ? null : (PERMISSION_OF.get(card.route) ?? null));
    this.draw.actor = held;
    if (card === 'link') return linkThrough(held.api, this.draw.id('provider'), this.battle.idp, this.draw.identity());
    return this.attempt(held, card);
  }

  private async attempt(held: Held, attempt: Attempt): Promise<void> {
    if (attempt.params['id'] === 'approval')
      await this.votes.learn(this.battle.dice.one(this.coalition.sessions), this.draw.pools);
    const request = requestOf(attempt, this.draw);
    const key = this.battle.dice.word('key');
    const first = await this.call(held, request, key);
    if (first.status >= 300) return;
    await this.take(held, request, first.body);
    // To assign a policy to the same target again gives the same assignment.
    if (attempt.makes && attempt.makes !== 'assignment' && this.battle.dice.chance(0.3))
      await this.repeat(held, request, key, idOf(first.body));
  }

  private async call(held: Held, { attempt: { route }, method, path, sent }: Request, key: string): Promise<ApiAnswer> {
    const answer = await held.api.call(method, path, sent, { 'idempotency-key': key });
    const outcome = answer.status < 300 ? 'success' : String(answer.body['code']);
    this.count(route, outcome);
    const who = this.coalition.sessions.indexOf(held);
    this.trace.push(`${who} ${method} ${path} ${JSON.stringify(sent ?? null)} ${key} → ${answer.status} ${outcome}`);
    if (answer.status >= 500) this.faults.push(`${route} answered ${answer.status}`);
    return answer;
  }

  private async take(held: Held, request: Request, body: Json): Promise<void> {
    this.judge(request, body);
    this.faults.push(...this.votes.check(held, request, body).map((fault) => `${fault}: ${this.trace.at(-1) ?? ''}`));
    this.learn(request, body);
    this.note(held, request, body);
    this.merge(request);
    await this.use(held, request, body);
  }

  private note(held: Held, request: Request, body: Json): void {
    if (held.authority.viaProvider && this.makings.note(held, request, body))
      this.count(`${request.attempt.route} in a session of a provider`, 'checked');
  }

  /** A session with idempotency keys of its own, of the same person if they have one. */
  private otherThan({ keysOf, authority }: Held): Held {
    const others = this.coalition.sessions.filter((each) => each.keysOf !== keysOf);
    const kin = others.filter((each) => each.authority.user.id === authority.user.id);
    return this.battle.dice.one(kin.length > 0 ? kin : others);
  }

  /** A repetition makes nothing more, and the same request of another membership is not answered with its result. */
  private async repeat(held: Held, request: Request, key: string, id: string | undefined): Promise<void> {
    const own = await this.call(held, request, key);
    if (own.status < 300 && idOf(own.body) !== id) this.faults.push(`made another one: ${this.trace.at(-1) ?? ''}`);
    const other = this.otherThan(held);
    const { status, body } = await this.call(other, request, key);
    if (KEY_IS_USED.includes(String(body['code'])) || (status < 300 && idOf(body) === id))
      this.faults.push(`was answered by another's result: ${this.trace.at(-1) ?? ''}`);
    if (status < 300) await this.take(other, request, body);
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
    const id = idOf(body);
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
    if (route === 'POST /api-keys') await this.keepKey(held, sent, data);
    if (REPLACING.includes(route)) await this.replace(held, route, body);
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

  private async keepKey(held: Held, { name, permissions }: Json, { key }: Json): Promise<void> {
    if (!(await this.coalition.keepKey(held, permissions as Permission[], String(key))))
      this.faults.push(`an API key named ${String(name)} acts as another than ${held.authority.user.email}`);
  }

  private async replace(held: Held, route: string, body: Json): Promise<void> {
    if (held.authority.viaProvider && route === 'POST /auth/membership')
      this.faults.push(`a session of a provider went to another membership: ${this.trace.at(-1) ?? ''}`);
    await this.coalition.keep(sessionIn(body, held.api) ?? held.api, held);
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

  /**
   * Ends the attackers' providers, which would otherwise govern the next attackers, in one of several ways while their
   * sessions go on. Nothing that was made in those sessions may work afterwards.
   */
  private async endProviders(): Promise<void> {
    const {
      arena,
      dice,
      ground: { operator, honestIdp },
    } = this.battle;
    const isTampered = (await trustIn(operator, arena.providerId)) !== arena.trust;
    // Nothing of an archived organisation can be ended: what was made there rests until it is restored.
    for (const id of new Set(this.draw.pools.of('org')))
      await operator.call('POST', `/orgs/organizations/${id}/restore`, {});
    const ids = [...new Set(this.draw.pools.of('provider'))].filter((id) => id !== arena.providerId || isTampered);
    const each = (method: 'POST' | 'PATCH' | 'DELETE', suffix: string, body?: object) =>
      Promise.all(ids.map((id) => operator.call(method, `/sso/providers/${id}${suffix}`, body)));
    const { issuer, clientId, clientSecret } = honestIdp;
    const status = (to: string) => () => each('POST', '/status?force=true', { status: to });
    for (const held of this.ofProviders().slice(0, 2)) {
      this.draw.actor = held;
      for (const attempt of LAST_ATTEMPTS) await this.attempt(held, attempt);
    }
    const way = dice.one(['delete', 'status', 'source', 'link']);
    if (way === 'link') await this.unlink();
    if (way === 'source') await this.ended(way, () => each('PATCH', '?force=true', { issuer, clientId, clientSecret }));
    if (way === 'status') {
      await this.ended(way, status('inactive'));
      await status('active')();
      await this.expectEnded(({ endsAtOnce }) => endsAtOnce);
    }
    await this.ended('delete', () => each('DELETE', ''));
  }

  private ofProviders(): Held[] {
    return this.coalition.sessions.filter(({ authority }) => authority.viaProvider);
  }

  private async expectEnded(isOver: (making: Making) => boolean): Promise<void> {
    this.faults.push(...(await this.makings.survivors(this.ofProviders(), isOver)));
  }

  /** One of the sessions of the employer's provider removes its user's link there. */
  private async unlink(): Promise<void> {
    const { employer: { id = '', employee = '' } = {}, sessions } = this.coalition;
    const held = sessions.find(({ api, authority }) => authority.user.email === employee && api.refreshToken);
    const answer = await held?.api.call('DELETE', `/sso/link/${id}`);
    if (answer?.status === 200)
      await this.expectEnded(({ by }) => by.authority.user.id === held?.authority.user.id && by !== held);
  }

  private async ended(way: string, end: () => Promise<ApiAnswer[]>): Promise<void> {
    const sessions = this.ofProviders();
    const last = sessions.slice(0, 3).flatMap((held) => {
      this.draw.actor = held;
      return LAST_ATTEMPTS.map((attempt) => ({ held, request: requestOf(attempt, this.draw) }));
    });
    for (const { keysOf } of sessions)
      this.count(`${keysOf.startsWith('ghk') ? 'API key' : 'session'} of a provider that ends by ${way}`, 'checked');
    const [answers, made] = await Promise.all([
      end(),
      Promise.all(last.map(({ held, request }, at) => this.call(held, request, `last-${way}-${at}-${held.keysOf}`))),
    ]);
    this.trace.push(`providers end (${way}): ${answers.map(({ status }) => status).join()}`);
    for (const [at, { status, body }] of made.entries()) {
      const { held, request } = last[at]!;
      if (status < 300) this.note(held, request, body);
      if (status < 300 && request.attempt.makes === 'apiKey')
        await this.keepKey(held, request.sent ?? {}, body['data'] as Json);
    }
    // Identity refuses (409) to end a provider of an archived or deleted organisation; its sessions have ended already.
    const isGone = this.trace.some((line) =>
      / (DELETE \/orgs\/organizations\/\S+|POST \/orgs\/organizations\/\S+\/archive) .* → 200/.test(line),
    );
    if (!isGone || answers.every(({ status }) => status !== CONFLICT)) await this.expectEnded(() => true);
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
