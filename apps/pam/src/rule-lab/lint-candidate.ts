import { seesSite, type TenantScope } from '@gatehouse/contracts-core';
import type { FindingCode, RuleFindingRecord } from '@gatehouse/contracts-pam';
import { type Finding, type LintRule, lintSteps, NO_USE, type ToolCatalog } from '@gatehouse/pam-domain';
import type { Candidate } from './candidates.ts';
import type { Refs } from './replay-summary.ts';
import type { Turns } from './scan-history.ts';

/** What past requests say about a rule that is in use; a candidate is not. */
const ABOUT_USE: readonly FindingCode[] = ['unused', 'self_serving'];

function rulesOf({ rules, createdAt }: Candidate): LintRule[] {
  const now = new Date();
  return rules.map(({ id, values }) => ({ ...values, id, createdAt: createdAt.get(id) ?? now }));
}

function view(finding: Finding, refs: Refs): RuleFindingRecord {
  const nameOf = (id: string): string => refs.get(id) ?? id;
  const { ruleId, otherRuleId } = finding;
  return { ...finding, ruleId: nameOf(ruleId), otherRuleId: otherRuleId === null ? null : nameOf(otherRuleId) };
}

/** The rules of the whole organisation, and those of the sites in reach. */
const shownTo = ({ rules }: Candidate, scope: TenantScope): ReadonlySet<string> =>
  new Set(rules.filter(({ values: { siteId } }) => siteId === null || seesSite(scope, siteId)).map(({ id }) => id));

export interface LintTask {
  readonly catalog: ToolCatalog;
  readonly refs: Refs;
  readonly turns: Turns;
  /** The reach of who asks: findings about rules of other sites are left out. */
  readonly scope: TenantScope;
}

/** What the linter finds in the candidate, in turns; an added rule is named by its ref. */
export async function lintOf(
  candidate: Candidate,
  { catalog, refs, turns, scope }: LintTask,
): Promise<RuleFindingRecord[]> {
  const shown = shownTo(candidate, scope);
  const { signerGroups } = candidate.candidateSource;
  const { siteIds } = candidate;
  const source = { rules: rulesOf(candidate), signerGroups, siteIds, catalog, use: NO_USE, at: new Date() };
  const steps = lintSteps(source);
  for (;;) {
    const step = steps.next();
    if (step.done)
      return step.value
        .filter(({ code, ruleId }) => !ABOUT_USE.includes(code) && shown.has(ruleId))
        .map((each) => view(each, refs));
    await turns.next();
  }
}
