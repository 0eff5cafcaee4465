import { VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { aRule, aRulebook, AT_HQ, seen } from '../builders-spec.ts';
import {
  candidateOf,
  type CandidateRule,
  decide,
  differenceOf,
  emptyTally,
  judgedOf,
  newly,
  type Observation,
  Replay,
  type Rule,
  type RuleChange,
  type Rulebook,
  transitionsOf,
} from '../index.ts';

describe('a replay of 50 000 requests', () => {
  it('PAM-240 finds no change when the candidate has none', () => {
    const replay = new Replay(present, bookOf(valuesOf(candidateOf(vetted, []))));
    expect(requests.filter((request) => replay.judge(request) !== null)).toEqual([]);
    expect(replay.tally).toMatchObject({ scanned: REQUESTS, changed: 0, transitions: {} });
    expect(replay.tally.before).toEqual(replay.tally.after);
  });

  it('PAM-240 says how each is decided once the candidate is applied', () => {
    const list = changes();
    for (const known of [list, [...list, reversed(list)]]) {
      const candidate = candidateOf(vetted, known);
      const replay = new Replay(present, bookOf(valuesOf(candidate), 'auto_deny'));
      const applied = bookOf(stored(candidate), 'auto_deny');
      const told = requests.map((request) => replay.judge(request));
      const anew = requests.map((request) => judgedOf(decide(request, applied)));
      const wrong = told.filter((difference, at) => difference && !isDeepStrictEqual(difference.after, anew[at]));
      expect(wrong).toEqual([]);
      const same = told.flatMap((difference, at) => (difference ? [] : [at]));
      const isOther = (at: number): boolean => anew[at]!.outcome !== decide(requests[at]!, present).outcome;
      expect(same.filter(isOther)).toEqual([]);
      const differences = REQUESTS - same.length;
      expect(differences).toBe(replay.tally.changed);
      expect(differences).toBeGreaterThan(REQUESTS / 20);
      const moved = transitionsOf(replay.tally).reduce((sum, { count }) => sum + count, 0);
      expect(moved).toBeLessThanOrEqual(replay.tally.changed);
      expect(newly(replay.tally, 'auto_approved')).toBeLessThanOrEqual(moved);
    }
  });
});

describe('the counts of a replay', () => {
  it('go on from a tally that was stored as JSON', () => {
    const requests = Array.from({ length: 10 }, (_, at) => seen({ username: at % 2 ? 'ann' : 'bob', adGroups: ['g'] }));
    const whole = new Replay(aRulebook({ rules: [deny] }), aRulebook({ rules: [grant] }));
    for (const request of requests) whole.judge(request);
    const half = new Replay(aRulebook({ rules: [deny] }), aRulebook({ rules: [grant] }));
    for (const request of requests.slice(0, 5)) half.judge(request);
    const kept = JSON.parse(JSON.stringify(half.tally)) as typeof half.tally;
    const rest = new Replay(aRulebook({ rules: [deny] }), aRulebook({ rules: [grant] }), kept);
    for (const request of requests.slice(5)) rest.judge(request);
    expect(rest.tally).toEqual(whole.tally);
    expect(rest.tally).toMatchObject({ changed: 5, before: { deny: 5 }, after: { grant: 5 }, withoutGroups: 0 });
    expect(transitionsOf(rest.tally)).toEqual([{ from: 'denied', to: 'auto_approved', count: 5 }]);
    expect(newly(rest.tally, 'auto_approved')).toBe(5);
    expect(newly(emptyTally(), 'auto_approved')).toBe(0);
  });

  it('REPLAY-01: rules that take too much work leave the request to a person, and the replay is bounded', () => {
    const costly = Array.from({ length: 200 }, (_, at) =>
      aRule({ id: `costly ${at}`, matchPathGlob: `**${'?'.repeat(900)}${at}b**` }),
    );
    const replay = new Replay(aRulebook({ rules: [deny] }), aRulebook({ rules: costly }));
    const hostile = seen({ username: 'ann', path: 'a'.repeat(16_000) });
    expect(replay.judge(hostile)?.after).toMatchObject({ outcome: 'pending', held: 'effort_exceeded' });
    const used = new Replay(aRulebook(), aRulebook(), { ...emptyTally(), spent: 30_000 * 250_000 });
    expect([replay.isExhausted, used.isExhausted]).toEqual([false, true]);
  });

  const [deny, grant] = [
    aRule({ id: 'deny', verdict: 'auto_deny', matchUser: 'ann' }),
    aRule({ id: 'grant', matchUser: 'ann' }),
  ];
});

type Values = Rule & { readonly priority: number };

const REQUESTS = 50_000;
/** A small generator, so that 50 000 requests are made at once and each run makes the same ones. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const roll = dice(42);
const one = <T>(values: readonly T[]): T => values[roll(values.length)]!;
const some = (chance: number, text: () => string): string | null => (roll(100) < chance ? text() : null);
const pathOf = (): string => `C:\\${one(['Tools', 'Temp', 'Apps', 'Apps\\..'])}\\${one(['a', 'b', 'c', 'd'])}.exe`;

const observation = (): Observation =>
  seen({
    flowType: one(['uac_intercept', 'uac_intercept', 'tech_jit_admin']),
    place: { ...AT_HQ, siteId: one(['HQ', 'Branch']) },
    username: some(90, () => `user ${roll(20)}`),
    path: some(90, pathOf),
    signer: some(60, () => `signer ${roll(10)}`),
    commandLine: some(50, () => `run --level ${roll(9)}`),
    adGroups: roll(2) === 0 ? [] : [`group ${roll(5)}`],
  });

const draft = (id: string): Values => ({
  ...aRule({
    id,
    name: id,
    verdict: one(VERDICTS),
    siteId: some(20, () => 'HQ'),
    matchUser: `user ${roll(20)}`,
    matchSigner: some(30, () => `signer ${roll(10)}`),
    matchPathGlob: some(40, () => one(['**/a.exe', 'C:/Temp/**', 'C:/*/?.exe', '**'])),
    matchCommandLine: some(20, () => `LEVEL ${roll(9)}`),
    matchNegate: roll(10) === 0 ? ['signer'] : null,
  }),
  priority: roll(50),
});

const STORED = Array.from({ length: 60 }, (_, at) => draft(`rule ${String(at).padStart(2, '0')}`));
const STANDING = { rules: STORED.map((values) => ({ id: values.id, values })) };
const vetted = { ...STANDING, isOrdered: () => true, vet: (values: Values) => values };
const bookOf = (rules: readonly Values[], verdict?: 'auto_deny'): Rulebook =>
  aRulebook({ rules, ...(verdict && { defaultVerdict: verdict }) });
const valuesOf = (rules: readonly CandidateRule<Values>[]): Values[] => rules.map(({ values }) => values);

/** The rules as a database would give them back after the difference is stored: by priority, age and id. */
function stored(candidate: readonly CandidateRule<Values>[]): Values[] {
  const { added, updated, removed } = differenceOf(STANDING.rules, candidate);
  const rows = new Map(STORED.map((values, age) => [values.id, { values, age }]));
  for (const id of removed) rows.delete(id);
  for (const { rule } of updated) rows.set(rule.id, { ...rows.get(rule.id)!, values: rule.values });
  for (const { id, values } of added) rows.set(id, { values, age: STORED.length });
  return [...rows.values()]
    .sort((a, b) => a.values.priority - b.values.priority || a.age - b.age || (a.values.id < b.values.id ? -1 : 1))
    .map(({ values }) => values);
}

function changes(): RuleChange<Values>[] {
  const adds = Array.from({ length: 10 }, (_, at): RuleChange<Values> => {
    const id = `new ${at}`;
    return { op: 'add', ref: `ref ${at}`, id, rule: draft(id) };
  });
  const updates = STORED.slice(0, 20).map(({ id }): RuleChange<Values> => ({
    op: 'update',
    ruleId: id,
    patch: { verdict: one(VERDICTS), priority: roll(9) },
  }));
  const removes = STORED.slice(20, 30).map(({ id }): RuleChange<Values> => ({ op: 'remove', ruleId: id }));
  return [...adds, ...updates, ...removes];
}

/** The opposite order of all rules that the changes leave. */
const reversed = (list: readonly RuleChange<Values>[]): RuleChange<Values> => ({
  op: 'reorder',
  ruleIds: candidateOf(vetted, list)
    .map(({ id, ref }) => ref ?? id)
    .reverse(),
});

const requests = Array.from({ length: REQUESTS }, observation);
const present = bookOf(stored(candidateOf(vetted, [])));
