import { type ScriptedIdp, startScriptedIdp } from '@gatehouse/dev-idp';
import { type FakeDns, startFakeDns } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type Arena, type Ground, isWhole, makeArena } from './authority/arena.ts';
import { ATTEMPTS } from './authority/attempts.ts';
import { Coalition } from './authority/coalition.ts';
import { Dice } from './authority/dice.ts';
import { Mailbox } from './authority/mailbox.ts';
import { dealer, type Outcome, Sequence, type Tally } from './authority/sequence.ts';
import { Person } from './authority/person.ts';
import { makeTenant, RATE_LIMITS, sql, startWorld, type World } from './world.ts';

/**
 * `AUTHORITY_STEPS=10000 AUTHORITY_SEED=…` repeats a run; each arena's generator depends only on the seed and the
 * arena's number.
 */
const SEED = process.env['AUTHORITY_SEED'] ?? process.env['GATEHOUSE_SEED'];
const STEPS = Number(process.env['AUTHORITY_STEPS'] ?? 1200);

describe('people who try to gain what they were not given', () => {
  let world: World;
  let dns: FakeDns;
  let ground: Ground;
  let idps: ScriptedIdp[];

  beforeAll(async () => {
    const honestIdp = await startScriptedIdp();
    // A hostile one and an honest employer's in each arena.
    idps = await Promise.all(Array.from({ length: 2 * ARENAS }, () => startScriptedIdp()));
    dns = await startFakeDns();
    const hosts = [honestIdp, ...idps].map(({ issuer }) => new URL(issuer).host).join(',');
    world = await startWorld({
      EGRESS_ALLOW_HOSTS: hosts,
      EGRESS_ALLOW_HTTP: 'true',
      DNS_SERVERS: dns.address,
      RATE_LIMITS: GENEROUS,
    });
    idps.push(honestIdp);
    ground = await groundOf(honestIdp);
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await Promise.all([...(idps ?? []), ...(dns ? [dns] : [])].map((each) => each.stop()));
  });

  it('ATK-35f: a gain would be seen', async () => {
    const arena = await makeArena(ground);
    const coalition = new Coalition(ground, arena, new Dice('planted'));
    await coalition.gather(1);
    expect(await coalition.gained()).toEqual([]);
    const membership = {
      scope: 'organization',
      orgId: ground.foreign.orgId,
      roleId: ground.roles.get('Organization Admin'),
    };
    const { email } = coalition.people[0] as { email: string };
    const { data } = await ground.foreign.api.must<{ data: { status: string } }>('POST', '/users', {
      email,
      name: 'Attacker',
      membership,
    });
    expect(data.status).toBe('invited');
    expect(await coalition.gained()).toEqual([]);
    await coalition.join(email);
    expect(await coalition.gained()).toEqual(
      expect.arrayContaining([`users:write @ ${ground.foreign.orgId}`, `sees ${ground.foreign.orgId}`]),
    );
  });

  it(`ATK-35g: ${STEPS} generated steps give no session more than its people held (AUTHORITY_SEED=${SEED})`, async () => {
    const began = Date.now();
    const fights = await Promise.all(Array.from({ length: ARENAS }, (_, number) => fight(number, STEPS / ARENAS)));
    const done = fights.reduce((sum, each) => sum + each.done, 0);
    const faults = fights.flatMap((each) => each.faults);
    process.stdout.write(`authority: seed ${SEED}, ${done} steps in ${Math.round((Date.now() - began) / 1000)} s\n`);
    if (process.env['AUTHORITY_TALLY']) process.stdout.write(`${JSON.stringify(Object.fromEntries(tally), null, 1)}\n`);
    expect(faults).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(STEPS);
  }, 3_600_000);

  it('ATK-35h: every route was tried, and many succeeded', () => {
    expect(ATTEMPTS.map(({ route }) => route).filter((route) => !tally.has(route))).toEqual([]);
    expect([...tally.values()].filter(({ success = 0 }) => success > 0).length).toBeGreaterThan(ATTEMPTS.length / 3);
  });

  it('PostgreSQL ended no transaction because two waited for each other', async () => {
    expect(await sql(world, 'identity', 'SELECT datname FROM pg_stat_database WHERE deadlocks > 0')).toEqual([]);
  });

  const tally: Tally = new Map();

  async function groundOf(honestIdp: ScriptedIdp): Promise<Ground> {
    const operator = world.admin;
    const lists = await Promise.all(
      ['partner', 'organization'].map((axis) =>
        operator.must<{ data: { id: string; name: string; system: boolean }[] }>('GET', `/roles?axis=${axis}`),
      ),
    );
    const roles = new Map(
      lists.flatMap(({ data }) => data.filter(({ system }) => system).map(({ id, name }) => [name, id] as const)),
    );
    const { partnerId, orgId, siteId } = await makeTenant(operator);
    const membership = { scope: 'organization', orgId, roleId: roles.get('Organization Admin') };
    const email = 'foreign@victim.example';
    const { data } = await operator.eventually<{ data: { id: string } }>('POST', '/users', {
      email,
      name: 'Foreign',
      membership,
    });
    const mailbox = new Mailbox(join(world.product.directory, 'mail'));
    const anonymous = operator.as('');
    const { api } = await Person.accept(anonymous, mailbox, email);
    return {
      operator,
      anonymous,
      mailbox,
      roles,
      honestIdp,
      isPushed: async (id) =>
        (await sql(world, 'notifier', 'SELECT FROM push_subscriptions WHERE id = $1 AND NOT suspended', [id])).length >
        0,
      foreign: { partnerId, orgId, siteId, userId: data.id, api },
    };
  }

  /** Runs sequences one after the other in one arena, each against tenants of its own. */
  async function fight(number: number, steps: number): Promise<{ done: number; faults: Fault[] }> {
    const seed = `${SEED}-${number}`;
    const [idp, employer] = idps.slice(2 * number) as [ScriptedIdp, ScriptedIdp];
    const [dice, faults] = [new Dice(seed), [] as Fault[]];
    const next = dealer(dice);
    let arena: Arena = await makeArena(ground);
    let done = 0;
    for (let sequence = 1; done < steps; sequence++) {
      const outcome: Outcome = await new Sequence({ ground, arena, idp, employer, dns, dice, tally }).run(
        STEPS_OF_A_SEQUENCE,
        next,
      );
      done += outcome.steps;
      if (outcome.faults.length > 0) faults.push({ seed: `${seed}, sequence ${sequence}`, ...outcome });
      if (sequence % SEQUENCES_OF_AN_ARENA === 0 || !(await isWhole(ground, arena))) arena = await makeArena(ground);
    }
    return { done, faults };
  }
});

const ARENAS = 6;
const STEPS_OF_A_SEQUENCE = 40;
/**
 * After so many sequences the arena gets a new tenant, because the things of the old one have been changed or removed.
 */
const SEQUENCES_OF_AN_ARENA = 6;
const LIMITS = ['loginContext=100000/60', 'setupVisit=100000/60', 'enrolByClient=100000/60', 'enrolByKey=100000/60'];
const GENEROUS = [...RATE_LIMITS.split(',').map((limit) => limit.replace(/=\d+\//, '=1000000/')), ...LIMITS].join(',');

interface Fault {
  readonly seed: string;
  readonly faults: string[];
  readonly trace: string[];
}
