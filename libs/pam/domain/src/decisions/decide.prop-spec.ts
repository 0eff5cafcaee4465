import { CRITERION_FIELDS, CRITERION_KEYS, type CriterionKey, VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRule, aRulebook, AT_HQ, seen } from '../builders-spec.ts';
import {
  compileRule,
  decide,
  Effort,
  foldPath,
  isSuspicious,
  literalFolderOf,
  literalNameOf,
  type Observation,
  PathGlob,
  type Rule,
  RuleIndex,
  signerSetsOf,
  subjectOf,
  Substring,
} from '../index.ts';

describe('a rule', () => {
  it('PAM-32 never matches by a value that is absent, negated or not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CRITERION_KEYS), fc.boolean(), observations, (key, negated, observation) => {
        const rule = aRule({ ...ASKS_FOR[key], matchNegate: negated ? [key] : null });
        expect(compileRule(rule, SETS)(subjectOf({ ...observation, ...LACKS[key] }))).toBe(false);
      }),
    );
  });

  it('matches with one criterion negated exactly when it would not match otherwise, if the value is there', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CRITERION_KEYS), observations, (key, observation) => {
        const subject = subjectOf({
          ...observation,
          signer: 'x',
          hash: 'x',
          path: 'x',
          publisher: 'x',
          parentImage: 'x',
          commandLine: 'x',
          username: 'x',
          adGroups: ['x'],
          toolName: 'x',
          riskTier: 1,
        });
        const plain = compileRule(aRule(ASKS_FOR[key]), SETS)(subject);
        expect(compileRule(aRule({ ...ASKS_FOR[key], matchNegate: [key] }), SETS)(subject)).toBe(!plain);
      }),
    );
  });

  it('asks no less for asking more', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(...CRITERION_KEYS), observations, (rule, key, observation) => {
        const narrower = { ...rule, ...ASKS_FOR[key] };
        fc.pre(
          Object.entries(ASKS_FOR[key]).every(
            ([name, value]) => rule[name as keyof Rule] === null || rule[name as keyof Rule] === value,
          ),
        );
        const subject = subjectOf(observation);
        if (compileRule(narrower, SETS)(subject))
          expect(compileRule(rule, SETS)(subject) || !identifies(rule)).toBe(true);
      }),
    );
  });
});

const identifies = (rule: Rule): boolean =>
  Object.entries(rule).some(([key, value]) => key.startsWith('match') && key !== 'matchNegate' && value !== null);

describe('the index of rules', () => {
  it('finds the same first match as trying each rule in turn', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 12 }), observations, (list, observation) => {
        const subject = subjectOf(observation);
        const inTurn = list.find((rule) => compileRule(rule, SETS)(subject));
        const found = [...new RuleIndex(list, GROUPS).candidates([subject])].find((candidate) =>
          candidate.matches(subject),
        );
        expect(found?.rule).toBe(inTurn);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('decide', () => {
  it('gives the same answer to the same question', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 6 }), observations, (list, observation) => {
        const rulebook = aRulebook({ rules: list, signerGroups: GROUPS });
        expect(decide(observation, rulebook)).toEqual(
          decide({ ...observation }, aRulebook({ rules: [...list], signerGroups: GROUPS })),
        );
      }),
    );
  });

  it('does not care for the order of rules that cannot match', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 8 }), observations, (list, observation) => {
        const subject = subjectOf(observation);
        const relevant = list.filter((rule) => compileRule(rule, SETS)(subject));
        const rest = list.filter((rule) => !compileRule(rule, SETS)(subject));
        fc.pre(!isSuspicious(observation));
        const answers = [list, [...rest.reverse(), ...relevant], [...relevant, ...rest]].map((order) =>
          decide(observation, aRulebook({ rules: order, signerGroups: GROUPS })),
        );
        expect(answers[1]).toEqual(answers[0]);
        expect(answers[2]).toEqual(answers[0]);
      }),
    );
  });

  it('never applies a rule beyond its site', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 8 }), observations, (list, observation) => {
        const elsewhere = { ...observation, place: { ...AT_HQ, siteId: 'Elsewhere' } };
        const { rule } = decide(elsewhere, aRulebook({ rules: list, signerGroups: GROUPS }));
        expect(rule === null || list.some(({ id, siteId }) => id === rule.id && siteId === null)).toBe(true);
      }),
    );
  });

  it('never grants or ignores what looks like something else', () => {
    const disguise = fc.constantFrom(
      'C:/tools/../x.exe',
      'C:/tools/a.exe.',
      'C:/tools/a.exe ',
      '\\\\?\\C:\\tools\\a.exe',
      'C:/tools/a.exe:b',
      'C:/tools/\u202eexe.a',
      'C:/tools/a\u200b.exe',
      'C:/tools//a.exe',
    );
    fc.assert(
      fc.property(
        fc.array(rules, { maxLength: 8 }),
        observations,
        disguise,
        fc.boolean(),
        (list, observation, path, deny) => {
          const rulebook = aRulebook({
            rules: list,
            signerGroups: GROUPS,
            defaultVerdict: deny ? 'auto_deny' : 'require_approval',
            policies: [
              {
                id: 'p',
                name: 'p',
                mode: 'allowlist',
                target: { level: 'site', id: 'HQ' },
                rules: [{ name: 'all', pathGlob: '**' }],
              },
            ],
          });
          expect(['pending', 'denied']).toContain(decide({ ...observation, path }, rulebook).outcome);
        },
      ),
    );
  });

  it('never grants or denies after an error', () => {
    fc.assert(
      fc.property(observations, fc.constantFrom('rules', 'policies'), (observation, part) => {
        const broken = {
          ...aRulebook({ defaultVerdict: 'auto_deny' }),
          get [part](): never {
            throw new Error('on purpose');
          },
        };
        expect(decide(observation, broken as never)).toMatchObject({
          outcome: 'pending',
          source: null,
          held: 'evaluator_error',
        });
      }),
    );
  });
});

describe('Substring', () => {
  it('finds what the language finds, in short and in long texts', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab]{0,8}$/),
        fc.stringMatching(/^[ab]{0,24}$/),
        fc.constantFrom(0, 70_000),
        (part, text, more) => {
          const long = text + 'c'.repeat(more);
          expect(new Substring(part).isIn(long, new Effort())).toBe(long.includes(part));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('PathGlob', () => {
  it('agrees with a plain recursive reading of the same glob', () => {
    fc.assert(
      fc.property(glob, fc.stringMatching(/^[abc/]{0,12}$/), (pattern, path) => {
        expect(new PathGlob(pattern).matches(foldPath(path))).toBe(reading(pattern, path));
      }),
      { numRuns: 10_000 },
    );
  });

  it('agrees with it too when the glob is longer than a machine word', () => {
    const folder = `${'z'.repeat(40)}/`;
    fc.assert(
      fc.property(glob, fc.stringMatching(/^[abc/]{0,12}$/), (pattern, path) => {
        expect(new PathGlob(folder + pattern).matches(folder + path)).toBe(reading(pattern, path));
      }),
      { numRuns: 10_000 },
    );
  });

  it('matches only below its literal folder and with its literal name', () => {
    fc.assert(
      fc.property(glob, fc.stringMatching(/^[abc/]{0,12}$/), (pattern, path) => {
        if (!new PathGlob(pattern).matches(path)) return;
        const name = literalNameOf(pattern);
        if (name !== null) expect(path.slice(path.lastIndexOf('/') + 1)).toBe(name);
        expect(path.startsWith(literalFolderOf(pattern))).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});

const tails = (text: string): string[] => Array.from({ length: text.length + 1 }, (_, at) => text.slice(at));
const takes = (sign: string, character: string | undefined): boolean =>
  character !== undefined && (sign === '?' ? character !== '/' : character === sign);

/** Three stars say no more than two. */
const reading = (pattern: string, path: string): boolean => reads(pattern.replace(/\*{2,}/g, '**'), path, true);

/** @param afterSlash whether the glob so far ended with a slash, or has not begun */
function reads(pattern: string, path: string, afterSlash: boolean): boolean {
  if (pattern === '') return path === '';
  if (pattern.startsWith('**/') && afterSlash && reads(pattern.slice(3), path, true)) return true;
  if (pattern.startsWith('**')) return tails(path).some((tail) => reads(pattern.slice(2), tail, false));
  if (pattern.startsWith('*'))
    return tails(path).some(
      (tail) => !path.slice(0, path.length - tail.length).includes('/') && reads(pattern.slice(1), tail, false),
    );
  return takes(pattern[0] ?? '', path[0]) && reads(pattern.slice(1), path.slice(1), pattern[0] === '/');
}

const word = fc.constantFrom(
  'acme',
  'Acme',
  'globex',
  'ann',
  'a.exe',
  'setup.exe',
  'c:/tools/a.exe',
  'C:\\Tools\\sub\\setup.exe',
  '',
  ' ',
);
const maybe = fc.option(word, { nil: null });
const glob = fc.stringMatching(/^(?:[abc/]|\*{1,2}|\?){1,10}$/);
const GROUPS = new Map([['trusted', ['ACME', 'globex']]]);
const SETS = signerSetsOf(GROUPS);

const observations: fc.Arbitrary<Observation> = fc
  .record({
    username: maybe,
    path: maybe,
    hash: maybe,
    signer: maybe,
    publisher: maybe,
    parentImage: maybe,
    commandLine: maybe,
    adGroups: fc.array(word, { maxLength: 2 }),
    toolName: maybe,
    riskTier: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
  })
  .map(seen);

const asked = fc.constantFrom('acme', 'Acme', 'ann', 'a.exe', 'setup.exe', 'c:/tools/a.exe');
const rules: fc.Arbitrary<Rule> = fc
  .record({
    id: fc.uuid(),
    verdict: fc.constantFrom(...VERDICTS),
    siteId: fc.constantFrom(null, null, 'HQ', 'Branch'),
    ...Object.fromEntries(Object.values(CRITERION_FIELDS).map((field) => [field, fc.option(asked, { nil: null })])),
    matchSignerGroupId: fc.option(fc.constant('trusted'), { nil: null }),
    matchPathGlob: fc.option(fc.constantFrom('**', '**/a.exe', 'C:/tools/*', 'C:/Tools/**', 'c:/tools/a.exe'), {
      nil: null,
    }),
    matchRiskTier: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
    matchNegate: fc.option(fc.subarray([...CRITERION_KEYS]), { nil: null }),
  })
  .map((overrides) => aRule(overrides));

const perCriterion = <T>(of: (key: CriterionKey) => T): Record<CriterionKey, T> =>
  Object.fromEntries(CRITERION_KEYS.map((key) => [key, of(key)])) as Record<CriterionKey, T>;
/** The observation without the fact that the criterion is about, which mostly has its name. */
const LACKS: Record<CriterionKey, Partial<Observation>> = {
  ...perCriterion((key) => ({ [key]: null })),
  signerGroup: { signer: null },
  pathGlob: { path: null },
  user: { username: null },
  adGroup: { adGroups: [] },
};
const ASKS_FOR: Record<CriterionKey, Partial<Rule>> = {
  ...perCriterion((key) => ({ [CRITERION_FIELDS[key]]: 'acme' })),
  signerGroup: { matchSignerGroupId: 'trusted' },
  pathGlob: { matchPathGlob: '**' },
  parentImage: { matchParentImage: 'a.exe' },
  commandLine: { matchCommandLine: 'a' },
  user: { matchUser: 'ann' },
  riskTier: { matchRiskTier: 2 },
};
