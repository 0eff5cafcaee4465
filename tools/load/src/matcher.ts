import {
  compileRule,
  compileRulebook,
  decide,
  NO_CRITERIA,
  NO_PRECAUTIONS,
  nothingSeen,
  type Observation,
  type Place,
  type Rule,
  subjectOf,
} from '@gatehouse/pam-domain';
import { type BenchOptions, median, say, table, whole } from './command-line.ts';

const RULES = 1000;
const PLACE: Place = { partnerId: 'partner', orgId: 'org', siteId: 'site', groupIds: [], deviceId: 'device' };
/** The kinds of criteria in turn, so that no single kind decides the result. */
const KINDS: readonly ((n: number) => Partial<Rule>)[] = [
  (n) => ({ matchHash: n.toString(16).padStart(64, '0') }),
  (n) => ({ matchSigner: `Vendor ${n}` }),
  (n) => ({ matchPathGlob: `C:/Program Files/Vendor ${n}/**` }),
  (n) => ({ matchPathGlob: `**/tool-${n}.exe` }),
  (n) => ({ matchUser: `CORP\\user-${n}`, matchCommandLine: `--profile ${n}` }),
];

const ruleOf = (n: number): Rule => ({
  ...NO_CRITERIA,
  id: String(n),
  name: `rule ${n}`,
  verdict: 'auto_approve',
  approvalDurationMinutes: null,
  mode: 'live',
  expiresAt: null,
  ...KINDS[n % KINDS.length]?.(n),
});
const rules = Array.from({ length: RULES }, (_, n) => ruleOf(n));

/** An observation that no rule matches, so that all rules are evaluated. */
const seen: Observation = {
  ...nothingSeen('uac_intercept', PLACE, new Date()),
  path: 'C:\\Program Files\\Other Vendor\\setup.exe',
  signer: 'Other Vendor',
  hash: 'f'.repeat(64),
  username: 'CORP\\ann',
  commandLine: 'setup.exe /S',
};

/** Rules evaluated per second by a function that evaluates all of them and returns how many matched. */
function rate(judgeAll: () => number, seconds: number): number {
  const began = process.hrtime.bigint();
  let [turns, matched, elapsed] = [0, 0, 0];
  for (; elapsed < seconds; elapsed = Number(process.hrtime.bigint() - began) / 1e9) {
    matched += judgeAll();
    turns++;
  }
  if (matched > 0) throw new Error('a rule matched that must not');
  return (turns * RULES) / elapsed;
}

/**
 * The pure matcher alone, on one core: each rule against one observation, and the whole decision with its index over
 * the rules.
 */
export async function benchMatcher({ seconds, rounds }: BenchOptions): Promise<void> {
  const compiled = rules.map((rule) => compileRule(rule, new Map()));
  const rulebook = compileRulebook({
    orgId: PLACE.orgId,
    version: 1,
    defaultVerdict: 'require_approval',
    defaultApprovalMinutes: 15,
    rules,
    signerGroups: new Map(),
    policies: [],
    floor: [],
    partnerRules: [],
    optedOut: [],
    ...NO_PRECAUTIONS,
  });
  const oneByOne = (): number => {
    const subject = subjectOf(seen);
    return compiled.filter((matches) => matches(subject)).length;
  };
  const decided = (): number => (decide(seen, rulebook).outcome === 'pending' ? 0 : 1);
  const rates = { oneByOne: [] as number[], decided: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.oneByOne.push(rate(oneByOne, seconds));
    rates.decided.push(rate(decided, seconds));
  }
  const indexed = median(rates.decided);
  say(
    table([
      ['with 1000 rules, one core', 'rules/s', 'decisions/s'],
      ['each rule evaluated by itself', whole(median(rates.oneByOne)), whole(median(rates.oneByOne) / RULES)],
      ['a decision, by the index', whole(indexed), whole(indexed / RULES)],
    ]),
  );
}
