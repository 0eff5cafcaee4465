import type { Permission } from '@gatehouse/contracts-core';
import type { FakeDns } from '@gatehouse/testing';
import type { ScriptedIdp } from '@gatehouse/dev-idp';
import { ROUTES } from '../audit/contract.ts';
import { type Arena, type Ground, idOf } from './arena.ts';
import type { Attempt } from './attempt.ts';
import { ATTEMPTS } from './attempts.ts';
import { Coalition, type Held } from './coalition.ts';
import type { Dice } from './dice.ts';
import { Draw } from './draw.ts';
import { placesOf } from './places.ts';
import { linkThrough, signInThrough } from './round-trip.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Json = Record<string, unknown>;

/** How often each route came to which end: `success`, or the code of a refusal. */
export type Tally = Map<string, Record<string, number>>;

export interface Outcome {
  readonly steps: number;
  /** What must not have been: each with the step or the measurement that showed it. */
  readonly faults: string[];
  /** The steps, for the report of a fault. */
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

const PERMISSION_OF = new Map(ROUTES.map(({ route, permission }) => [route, permission as Permission | null | undefined]));
/** Everyone in the deck once, and those that matter most more often; a round trip through the provider comes with them. */
const DECK: readonly (Attempt | 'sign-in' | 'link')[] = [
  ...ATTEMPTS.flatMap((attempt) => Array.from({ length: attempt.times }, () => attempt)), ...Array<'sign-in'>(10).fill('sign-in'), 'link', 'link',
];

/** One coalition's generated steps, one after the other. */
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
    const [method = 'GET', template = ''] = attempt.route.split(' ');
    const params = Object.fromEntries(Object.entries(attempt.params).map(([name, kind]) => [name, this.draw.id(kind)]));
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') + (attempt.query?.(this.draw) ?? '');
    const sent = attempt.body?.(this.draw);
    const { status, body } = await held.api.call(method as Method, path, sent);
    const succeeded = status < 300;
    this.count(attempt.route, succeeded ? 'success' : String(body['code']));
    this.trace.push(`${this.coalition.sessions.indexOf(held)} ${method} ${path} ${JSON.stringify(sent ?? null)} → ${status} ${String(body['code'] ?? '')}`);
    if (status >= 500) this.faults.push(`${attempt.route} answered ${status}`);
    if (!succeeded) return;
    this.judge(attempt, params, sent ?? {});
    await this.learn(attempt, sent ?? {}, body, params);
    if (attempt.route === 'POST /api-keys') this.keepKey(held, sent ?? {}, body);
  }

  /** A change that succeeded must lie where one of them held the permission of the route. */
  private judge(attempt: Attempt, params: Json, sent: Json): void {
    const permission = PERMISSION_OF.get(attempt.route);
    if (!permission) return;
    const { geography } = this.battle.arena;
    const held = placesOf(this.coalition.before, permission);
    const inBody = sent['siteId'] ?? sent['targetId'] ?? (sent['target'] as Json | undefined)?.['id'] ?? sent['orgId'];
    const objects = attempt.objectIsSource ? [inBody] : [...Object.values(params), inBody];
    const beyond = objects.map((id) => this.draw.pools.placeOf(id)).filter((place) => place !== undefined && !geography.within(place, held));
    if (beyond.length > 0) this.faults.push(`${attempt.route} changed ${beyond.join(', ')} without ${permission} there: ${this.trace.at(-1) ?? ''}`);
  }

  private async learn({ route, makes }: Attempt, sent: Json, body: Json, params: Json): Promise<void> {
    const id = idOf(body) ?? (typeof body['deviceId'] === 'string' ? body['deviceId'] : undefined);
    const place = (sent['siteId'] ?? sent['orgId']) as string | undefined;
    if (makes && id) this.draw.pools.add(makes, id, place);
    const { geography, partnerId } = this.battle.arena;
    if (makes === 'org' && id) geography.add(id, (sent['partnerId'] as string | undefined) ?? partnerId);
    if (makes === 'site' && id && place) geography.add(id, place);
    if (route === 'POST /orgs/organizations/{id}/merge') geography.add(String(params['id']), String(sent['survivorId']));
    if (typeof body['key'] === 'string') this.draw.pools.enrollmentSecrets.push(body['key']);
    await this.use(route, sent, (body['data'] ?? {}) as Json);
  }

  /** What a success gives the attackers to go on with. */
  private async use(route: string, sent: Json, data: Json): Promise<void> {
    const { dns } = this.battle;
    if (route === 'POST /sso/domains' && String(data['domain']) === 'evil.example') dns.records[String(data['recordName'])] = { TXT: [String(data['recordValue'])] };
    const email = String(sent['email']);
    if (route === 'POST /users' && email.endsWith('@evil.example')) {
      this.draw.pools.emails.push(email);
      await this.coalition.join(email).catch((error: unknown) => this.trace.push(`${email} could not join: ${String(error).slice(0, 200)}`));
    }
  }

  private keepKey({ authority: { reach } }: Held, { permissions }: Json, { data }: Json): void {
    const { key } = data as { key: string };
    this.coalition.sessions.push({ api: this.battle.ground.anybody.as(key), authority: { permissions: permissions as Permission[], reach } });
  }

  private async signIn(): Promise<void> {
    const { dice, ground: { anybody }, idp } = this.battle;
    const start = dice.chance(0.8) ? `/sso/login/${this.draw.id('org')}` : `/sso/login/partner/${this.draw.id('partner')}`;
    const identity = this.draw.identity();
    const session = await signInThrough(anybody, start, idp, identity);
    this.count(start.includes('partner') ? 'GET /sso/login/partner/{partnerId}' : 'GET /sso/login/{orgId}', session === null ? 'refused' : 'success');
    this.trace.push(`GET ${start} as ${String(identity['email'])} (${String(identity['sub'])}) → ${session ? 'signed in' : 'refused'}`);
    if (session) await this.coalition.keepSignedIn(session);
  }

  private count(route: string, outcome: string): void {
    const known = this.battle.tally.get(route) ?? {};
    this.battle.tally.set(route, { ...known, [outcome]: (known[outcome] ?? 0) + 1 });
  }

  /** Providers that attackers made would govern the next ones. */
  private async tidy(): Promise<void> {
    const { ground: { operator }, arena } = this.battle;
    const made = this.draw.pools.of('provider').filter((id) => id !== arena.providerId);
    await Promise.all(made.map((id) => operator.call('DELETE', `/sso/providers/${id}`)));
  }
}

/** Deals the whole deck in a new order each time, so that no route is left out for long. */
export function dealer(dice: Dice): () => Attempt | 'sign-in' | 'link' {
  let cards: (Attempt | 'sign-in' | 'link')[] = [];
  return () => {
    if (cards.length === 0) cards = dice.shuffled(DECK);
    return cards.pop() as Attempt | 'sign-in' | 'link';
  };
}
