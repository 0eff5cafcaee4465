import { CRITERION_KEYS, FLOW_TYPES, VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { aRule, aSource, AT_HQ, MONDAY_NOON, seen } from '../builders-spec.ts';
import {
  compileRulebook,
  decide,
  explain,
  type Explanation,
  type Observation,
  type Rule,
  type Rulebook,
} from '../index.ts';

const CHUNKS = 10;

describe('explain', () => {
  it.each(Array.from({ length: CHUNKS }, (_, at) => at))(
    'PAM-103 names what decided, in 10 000 decisions under rule sets that change (%i)',
    (chunk) => {
      const chance = new Chance(chunk + 1);
      const faults: string[] = [];
      for (let n = 0; n < RULEBOOKS; n++) {
        const rulebook = rulebookOf(chance);
        for (let m = 0; m < OBSERVATIONS; m++) faults.push(...faultsOf(observationOf(chance), rulebook));
      }
      expect(faults).toEqual([]);
    },
  );
});

const RULEBOOKS = 200;
const OBSERVATIONS = 50;

/** A small generator of its own: the same numbers in each run, and fast enough for 100 000 decisions. */
class Chance {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  list<T>(most: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, at) => make(at));
  }
}

const WORDS = ['acme', 'Globex', 'ann', 'a.exe', 'C:\\Tools\\a.exe', 'C:\\Tools\\..\\a.exe', 'ſecret', ''];
const GLOBS = ['**', '**/a.exe', 'C:/Tools/*', 'C:/**'];
const DATES = [null, null, null, new Date(0), new Date('2027-01-01Z')];

function ruleOf(chance: Chance, id: string): Rule {
  const maybe = <T>(values: readonly T[]): T | null => (chance.below(3) === 0 ? chance.of(values) : null);
  return aRule({
    id,
    name: id,
    verdict: chance.of(VERDICTS),
    mode: chance.below(5) === 0 ? 'shadow' : 'live',
    expiresAt: chance.of(DATES),
    siteId: chance.of([null, null, null, AT_HQ.siteId, 'Branch']),
    matchSigner: maybe(WORDS),
    matchSignerGroupId: maybe(['trusted']),
    matchHash: maybe(WORDS),
    matchPathGlob: maybe(GLOBS),
    matchUser: maybe(WORDS),
    matchRiskTier: maybe([1, 2]),
    matchNegate: maybe([[chance.of(CRITERION_KEYS)]]),
    timeWindow: maybe([
      { start: '09:00', end: '11:00' },
      { start: '09:00', end: '17:00' },
    ]),
  });
}

function rulebookOf(chance: Chance): Rulebook {
  return compileRulebook(
    aSource({
      defaultVerdict: chance.of(['require_approval', 'auto_deny']),
      rules: chance.list(10, (at) => ruleOf(chance, `r${at}`)),
      floor:
        chance.below(4) === 0 ? [aRule({ ...ruleOf(chance, 'floor'), verdict: 'require_approval', mode: 'live' })] : [],
      signerGroups: new Map([['trusted', ['ACME', 'globex']]]),
      policies: chance.list(2, (at) => ({
        id: `p${at}`,
        name: `p${at}`,
        mode: chance.of(['allowlist', 'blocklist', 'audit'] as const),
        target: { level: 'site' as const, id: chance.of([AT_HQ.siteId, 'Branch']) },
        rules: [{ name: 'line', signer: chance.of(WORDS), pathGlob: chance.of([null, 'C:/Tools/*']) }],
      })),
      freezes: chance.list(1, () => ({
        id: 'f',
        level: 'site' as const,
        targetId: AT_HQ.siteId,
        mode: 'hold' as const,
        expiresAt: null,
      })),
    }),
  );
}

const observationOf = (chance: Chance): Observation =>
  seen({
    flowType: chance.of(FLOW_TYPES),
    at: MONDAY_NOON,
    username: chance.of(WORDS),
    path: chance.of([...WORDS, null]),
    hash: chance.of([...WORDS, null]),
    signer: chance.of([...WORDS, null]),
    riskTier: chance.of([null, 1, 2, 3]),
  });

const signatureOf = ({ outcome, source, held, rule, policy }: Explanation['decision']): string =>
  [outcome, source, held, rule?.id, policy?.id].join(' ');

/** What is wrong with an explanation; an empty list when it is right. */
function faultsOf(observation: Observation, rulebook: Rulebook): string[] {
  const made = decide(observation, rulebook);
  const { decision, matched, nearestMisses, laterMatches, default: unmatched } = explain(observation, rulebook);
  const { position: at, origin } = matched ?? { position: Infinity, origin: 'organization' };
  const named = new Set([...nearestMisses, ...laterMatches].map(({ ruleId }) => ruleId));
  return Object.entries({
    decision: signatureOf(made) === signatureOf(decision),
    matched: matched?.ruleId === made.rule?.id,
    'a miss behind the decision': origin === 'partner_before' || nearestMisses.every(({ position }) => position < at),
    'a miss that met everything': nearestMisses.every(({ met, of }) => met < of),
    'a later match in front':
      matched === null || origin !== 'organization' || laterMatches.every(({ position }) => position > at),
    'the decision among the others': !made.rule || !named.has(made.rule.id),
    default: unmatched.used === (made.rule === null && made.policy === null),
  }).flatMap(([fault, isRight]) => (isRight ? [] : [`${fault}: ${JSON.stringify(observation)}`]));
}
