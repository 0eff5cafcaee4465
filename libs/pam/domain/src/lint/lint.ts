import { FINDING_CODES } from '@gatehouse/contracts-pam';
import { hasExpired } from '../rules/rule.ts';
import { type SignerSets, signerSetsOf } from '../rules/signer-group.ts';
import { type Finding, findingOf, type Found, isLive, type LintRule, type LintSource } from './finding.ts';
import { anchorsOf, type Conjunction, conjunctionOf, covers, criteriaKeyOf, featuresOf } from './implication.ts';
import { expiryOf, neglectOf } from './neglect.ts';
import { risksOf } from './risks.ts';

interface Filed {
  readonly position: number;
  readonly conjunction: Conjunction;
}

/** Live rules in their order, filed by what a rule must have so that one of them can cover it. */
class LiveRules {
  private readonly anywhere: Filed[] = [];
  private readonly byAnchor = new Map<string, Filed[]>();
  private size = 0;

  constructor(private readonly groups: SignerSets) {}

  add(conjunction: Conjunction): void {
    const filed = { position: this.size++, conjunction };
    const anchors = anchorsOf(conjunction);
    const [rarest] = anchors.sort((one, other) => this.countAt(one) - this.countAt(other));
    if (rarest === undefined) this.anywhere.push(filed);
    else this.at(rarest).push(filed);
  }

  /** The first rule that covers this one. */
  covering(later: Conjunction): Conjunction | null {
    const places = [this.anywhere, ...[...featuresOf(later)].map((feature) => this.byAnchor.get(feature) ?? [])];
    const found = places.flatMap((rules) => rules.find((each) => covers(each.conjunction, later, this.groups)) ?? []);
    return found.sort((one, other) => one.position - other.position)[0]?.conjunction ?? null;
  }

  private at(anchor: string): Filed[] {
    const filed = this.byAnchor.get(anchor) ?? [];
    this.byAnchor.set(anchor, filed);
    return filed;
  }

  private countAt(anchor: string): number {
    return this.byAnchor.get(anchor)?.length ?? 0;
  }
}

/** The most findings of one answer; the most severe are kept. */
export const MAX_FINDINGS = 1000;

/** The rules that came before, in their order. */
class Earlier {
  private readonly live: LiveRules;
  private readonly byCriteria = new Map<string, string>();

  constructor(
    private readonly groups: SignerSets,
    private readonly at: Date,
  ) {
    this.live = new LiveRules(groups);
  }

  /** What the rule has in common with those before it; it then counts as one of them. */
  compare(rule: LintRule): Found[] {
    const later = conjunctionOf(rule, this.groups);
    const found = [...this.shadowed(later), ...this.duplicate(later)];
    this.take(later);
    return found;
  }

  add(rule: LintRule): void {
    this.take(conjunctionOf(rule, this.groups));
  }

  private take(rule: Conjunction): void {
    const key = criteriaKeyOf(rule);
    if (!this.byCriteria.has(key)) this.byCriteria.set(key, rule.rule.id);
    if (isLive(rule.rule, this.at)) this.live.add(rule);
  }

  private shadowed(later: Conjunction): Found[] {
    const earlier = this.live.covering(later);
    if (!earlier) return [];
    return [
      {
        code: 'shadowed',
        otherRuleId: earlier.rule.id,
        detail: 'An earlier rule matches whatever this one matches, so this one never decides.',
        suggestion: 'Move this rule before the other, or delete it.',
      },
    ];
  }

  private duplicate(later: Conjunction): Found[] {
    const otherRuleId = this.byCriteria.get(criteriaKeyOf(later));
    if (otherRuleId === undefined) return [];
    const detail = 'An earlier rule has the same criteria.';
    return [{ code: 'duplicate', otherRuleId, detail, suggestion: 'Delete one of the two.' }];
  }
}

const ownFindings = (rule: LintRule, source: LintSource): Found[] => [...neglectOf(rule, source), ...risksOf(rule)];

const mostSevereFirst = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((one, other) => FINDING_CODES.indexOf(one.code) - FINDING_CODES.indexOf(other.code));

/**
 * Lints rules one after another and yields after each, so that the caller can let other work run in between. Disabled
 * rules are passed over; of an expired one only that is said.
 */
export function* lintSteps(source: LintSource): Generator<undefined, Finding[]> {
  const earlier = new Earlier(signerSetsOf(source.signerGroups), source.at);
  const findings: Finding[] = [];
  for (const rule of source.rules) {
    if (!rule.enabled) continue;
    const expiry = expiryOf(rule, source);
    const found = expiry ? [expiry] : [...earlier.compare(rule), ...ownFindings(rule, source)];
    findings.push(...found.map((each) => findingOf(rule, each)));
    yield;
  }
  return mostSevereFirst(findings).slice(0, MAX_FINDINGS);
}

/** Lints a whole rulebook at once: the most severe findings first, then in the order of the rules. */
export function lintRulebook(source: LintSource): Finding[] {
  const steps = lintSteps(source);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The findings about one rule of a rulebook; it is compared with those before it. */
export function lintRule(source: LintSource, ruleId: string): Finding[] {
  const position = source.rules.findIndex(({ id }) => id === ruleId);
  const rule = source.rules[position];
  if (!rule?.enabled) return [];
  const expiry = expiryOf(rule, source);
  if (expiry) return [findingOf(rule, expiry)];
  const earlier = new Earlier(signerSetsOf(source.signerGroups), source.at);
  for (const each of source.rules.slice(0, position)) {
    if (each.enabled && !hasExpired(each, source.at)) earlier.add(each);
  }
  const found = [...earlier.compare(rule), ...ownFindings(rule, source)];
  return mostSevereFirst(found.map((each) => findingOf(rule, each)));
}
