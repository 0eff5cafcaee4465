import { describe, expect, it } from '@jest/globals';
import { aRule, aRulebook, seen } from '../builders-spec.ts';
import {
  decide,
  Effort,
  EffortExceeded,
  EffortShares,
  foldWidely,
  MAX_STEPS,
  type Observation,
  type Rule,
} from '../index.ts';

const many = (count: number, ruleOf: (n: number) => Partial<Rule>): Rule[] =>
  Array.from({ length: count }, (_, n) =>
    aRule({ id: `rule-${n}`, name: `Rule ${n}`, verdict: 'auto_deny', ...ruleOf(n) }),
  );

describe('ATK-12a the steps of a report', () => {
  const HOSTILE: readonly (readonly [string, Rule[], Partial<Observation>])[] = [
    [
      'globs of stars and question marks',
      many(22, (n) => ({ matchPathGlob: `**z${'?'.repeat(1000 - n)}**` })),
      { path: 'az'.repeat(15_000) },
    ],
    [
      'short globs',
      many(500, (n) => ({ matchPathGlob: `**a${'?'.repeat(n % 20)}**c??` })),
      { path: 'ab'.repeat(15_000) },
    ],
    [
      'parts of a command line',
      many(100, (n) => ({ matchCommandLine: `${'a'.repeat(1000)}b${'a'.repeat(900 - n)}` })),
      { commandLine: 'a'.repeat(32_000) },
    ],
    [
      'rules that share one anchor',
      many(30_000, () => ({ matchUser: 'ann', matchCommandLine: '?' })),
      { username: 'ann', commandLine: 'x' },
    ],
    [
      'time windows',
      many(5000, (n) => ({
        matchUser: 'ann',
        timeWindow: { start: '00:00', end: `00:0${n % 10}`, timezone: 'Europe/Berlin' },
      })),
      { username: 'ann' },
    ],
    ['characters that become eighteen', many(1, () => ({ matchUser: 'bob' })), { path: '\ufdfa'.repeat(10_000) }],
  ];

  it.each(HOSTILE)('are bounded, whatever is asked for: %s', (_, rules, observation) => {
    const rulebook = aRulebook({ rules, defaultVerdict: 'auto_deny' });
    expect(decide(seen(observation), rulebook)).toMatchObject({
      outcome: 'pending',
      source: null,
      held: 'effort_exceeded',
    });
    expect(stepsOf(observation, rules)).toBe(MAX_STEPS);
  });

  it('stay few for long texts that cheap tests rule out', () => {
    const path = 'C:\\Users\\ann\\'.padEnd(30_000, 'x');
    const globs = many(2000, (n) => ({ matchPathGlob: `**/vendor-${n}/**${'?'.repeat(900)}**` }));
    expect(stepsOf({ path }, globs)).toBeLessThan(stepsOf({ path }, []) + 5 * path.length);
  });

  it('hardly grow with the number of rules that look for a part of a command line', () => {
    const parts = (count: number): Rule[] => many(count, (n) => ({ matchCommandLine: `--option-${n}` }));
    const commandLine = 'x'.repeat(1000);
    expect(stepsOf({ commandLine }, parts(5000))).toBe(stepsOf({ commandLine }, parts(50)));
  });

  it('tell which rule took most of them', () => {
    const costly = aRule({ id: 'costly', name: 'Costly', matchPathGlob: '**a*a*c?', verdict: 'auto_deny' });
    const rules = [...many(5, (n) => ({ matchPathGlob: `C:/${n}/*` })), costly];
    const decision = decide(seen({ path: `C:\\${'a'.repeat(30_000)}bb` }), aRulebook({ rules }), {
      effort: new Effort(110_000),
    });
    expect(decision).toMatchObject({
      held: 'effort_exceeded',
      rule: null,
      costliest: { type: 'pam.rule', id: 'costly', name: 'Costly' },
    });
    expect(decision.costliest?.steps).toBeGreaterThan(10_000);
  });

  it('of folding thousands of combining marks are as few as of other characters', () => {
    const marks = '\u0301\u0316'.repeat(8000);
    expect(foldWidely(marks).length).toBeLessThanOrEqual(30);
  });

  it('are not spent when they would be too many', () => {
    const effort = new Effort(10);
    effort.spend(4);
    expect(() => effort.spend(1000)).toThrow(EffortExceeded);
    expect(effort.spent).toBe(10);
  });
});

describe('ATK-12b the share of an organisation', () => {
  it('is used up by its own reports, comes back with time, and is not shared', () => {
    let now = 0;
    const shares = new EffortShares(() => now);
    const first = Array.from({ length: 100 }, () => spendAll(shares, 'loud'));
    expect([first[0], first.at(-1)]).toEqual([MAX_STEPS, 5_000]);
    expect(first.reduce((sum, steps) => sum + steps, 0)).toBeLessThan(8_000_000);
    expect(spendAll(shares, 'quiet')).toBe(MAX_STEPS);
    now += 1000;
    expect(spendAll(shares, 'loud')).toBe(MAX_STEPS);
  });

  it('leaves an ordinary report decided when it is used up', () => {
    const shares = new EffortShares(() => 0);
    for (let n = 0; n < 100; n++) spendAll(shares, 'loud');
    const rulebook = aRulebook({
      rules: many(1000, (n) => ({ matchPathGlob: `C:/Program Files/Vendor ${n}/**`, verdict: 'auto_approve' })),
    });
    const decision = shares.during('loud', (effort) =>
      decide(seen({ path: 'C:\\Program Files\\Vendor 7\\setup.exe', signer: 'Vendor' }), rulebook, { effort }),
    );
    expect(decision.outcome).toBe('auto_approved');
  });

  it('has work that is charged afterwards wait until it is paid off', () => {
    let now = 0;
    const shares = new EffortShares(() => now);
    shares.charge('loud', 4 * 6_250_000);
    const mayBegin = [0, 2900, 3100].map((at) => {
      now = at;
      return [shares.hasLeft('loud'), shares.hasLeft('quiet')];
    });
    expect(mayBegin).toEqual([
      [false, true],
      [false, true],
      [true, true],
    ]);
  });

  it('charges a report that failed for another reason', () => {
    const shares = new EffortShares(() => 0);
    expect(() =>
      shares.during('loud', (effort) => {
        effort.spend(MAX_STEPS);
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    for (let n = 0; n < 24; n++) spendAll(shares, 'loud');
    expect(spendAll(shares, 'loud')).toBe(5_000);
  });

  const spendAll = (shares: EffortShares, orgId: string): number =>
    shares.during(orgId, (effort) => {
      let spent = 0;
      try {
        for (; ; spent += 100) effort.spend(100);
      } catch {
        return spent;
      }
    });
});

function stepsOf(observation: Partial<Observation>, rules: Rule[]): number {
  const effort = new Effort();
  decide(seen(observation), aRulebook({ rules }), { effort });
  return effort.spent;
}
