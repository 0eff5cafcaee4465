import { type ScriptedIdp, startScriptedIdp } from '@gatehouse/dev-idp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Field, Lane } from './grants/field.ts';
import { Poll } from './grants/poll.ts';
import { Scenario } from './grants/scenario.ts';
import { Trace } from './grants/trace.ts';
import { RATE_LIMITS, startWorld, type World } from './world.ts';

/** `GRANT_STEPS=10000 GATEHOUSE_SEED=…` repeats a longer run; a lane's dice depend only on the seed and its number. */
const SEED = process.env['GATEHOUSE_SEED'];
const STEPS = Number(process.env['GRANT_STEPS'] ?? 80);

/**
 * Ann may write the rules of her organisation, and uses its devices; Ben, Cleo, Dora and Eve are her colleagues. Ben
 * first writes rules about one signer; then Ann acts. Her acts may ask for more approvals than before, never for fewer.
 * Then all of them vote on a request that needs several of them, while its inputs change.
 */
describe('generated grants to oneself', () => {
  let world: World;
  let idps: ScriptedIdp[];

  beforeAll(async () => {
    idps = await Promise.all(Array.from({ length: LANES }, () => startScriptedIdp()));
    const hosts = idps.map(({ issuer }) => new URL(issuer).host).join(',');
    const generous = RATE_LIMITS.replaceAll(/=\d+\//g, '=1000000/');
    const limits = `${generous},loginContext=100000/60,enrolByClient=100000/60,enrolByKey=100000/60`;
    world = await startWorld({ EGRESS_ALLOW_HOSTS: hosts, EGRESS_ALLOW_HTTP: 'true', RATE_LIMITS: limits });
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await Promise.all((idps ?? []).map((each) => each.stop()));
  });

  it(`give Ann nothing that she could not have before (QUORUM-03, GRANT_STEPS=${STEPS}, GATEHOUSE_SEED=${SEED})`, async () => {
    const began = Date.now();
    const faults = await Promise.all(Array.from({ length: LANES }, (_, number) => playIn(number)));
    const seconds = Math.round((Date.now() - began) / 1000);
    process.stdout.write(`grants: seed ${SEED}, ${seconds} s, ${JSON.stringify({ ...tally, acts: [...worked] })}\n`);
    expect(faults.flat()).toEqual([]);
    expect([tally.before > 0, tally.before < tally.scenarios]).toEqual([true, true]);
  }, 3_600_000);

  it('were tried by acts of every kind, with success, and every kind was repeated after its end', () => {
    expect([...worked.keys()].filter((act) => /^ann .* success$/.test(act)).length).toBeGreaterThanOrEqual(8);
    expect(new Set([...worked.keys()].flatMap((act) => /^(\w+) after/.exec(act)?.[1] ?? [])).size).toBe(4);
  });

  const worked = new Map<string, number>();
  const tally = { scenarios: 0, before: 0, steps: 0, votes: 0 };

  /** @returns what should not have been possible */
  async function play(field: Field, isFirst: boolean): Promise<string[]> {
    const { dice, people } = field.lane;
    const trace = new Trace(people, worked);
    const scenario = new Scenario(field, trace);
    await scenario.prepare(isFirst);
    const before = await scenario.granted();
    const steps = 1 + dice.below(MAX_STEPS_OF_A_SCENARIO);
    for (let step = 0; step < steps; step++) await scenario.act();
    const after = await scenario.granted();
    for (const grant of ['toAnn', 'toHerKey', 'byHerVote'] as const)
      if (after[grant] && !before[grant]) trace.fault(`gained ${grant}, ${JSON.stringify(after.answers)}`);
    await scenario.endsForGood();
    const votes = await new Poll(field, trace).run();
    tally.scenarios += 1;
    tally.before += Number(before.toAnn);
    tally.steps += steps + votes;
    tally.votes += votes;
    return trace.faults.length > 0 ? [...trace.faults, ...trace.lines] : [];
  }

  async function playIn(number: number): Promise<string[][]> {
    const lane = await Lane.open(world, idps[number]!, `${SEED}-grants-${number}`);
    const faults: string[][] = [];
    let field = await Field.make(lane);
    for (let scenario = 1; tally.steps < STEPS && faults.length < 3; scenario++) {
      const found = await play(field, number + scenario === 1).catch((error: unknown) => [String(error)]);
      if (found.length > 0) faults.push([`lane ${number}, scenario ${scenario}`, ...found]);
      if (found.length > 0 || field.isSpoilt || scenario % SCENARIOS_OF_A_FIELD === 0) field = await Field.make(lane);
      else if (field.areDevicesSpoilt) await field.renewDevices();
    }
    return faults;
  }
});

const LANES = STEPS > 1000 ? 8 : 3;
const MAX_STEPS_OF_A_SCENARIO = 4;
/** After so many, the rules of an organisation would be those of a large one. */
const SCENARIOS_OF_A_FIELD = 20;
