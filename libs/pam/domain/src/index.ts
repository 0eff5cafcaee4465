export * from '@gatehouse/windows-paths';
export * from './chain/approval-demand.ts';
export * from './chain/decision.ts';
export { freezeAt } from './chain/holds.ts';
export * from './matching/accounts.ts';
export * from './decisions/decide.ts';
export * from './explanations/explain.ts';
export type {
  PlacedRule,
  FailedCheck,
  NearMiss,
  ExplainedPolicy,
  ExplanationNote,
  Explanation,
} from './explanations/failed-check.ts';
export * from './matching/effort.ts';
export * from './decisions/elevation-status.ts';
export * from './matching/observation.ts';
export * from './matching/path-glob.ts';
export * from './decisions/preview.ts';
export * from './replays/candidate.ts';
export * from './replays/replay.ts';
export * from './decisions/request-flags.ts';
export { type Finding, type LintRule, type LintSource, NO_USE, type RuleUse } from './lint/finding.ts';
export { lintRule, lintRulebook, lintSteps, MAX_FINDINGS } from './lint/lint.ts';
export { risksOfPolicy } from './lint/risks.ts';
export * from './offline/offline-rules.ts';
export { type Proposal, type ProposedRule, proposalsOf } from './proposals/proposals.ts';
export * from './tools/risk-tier.ts';
export * from './rules/justification.ts';
export * from './rules/precautions.ts';
export * from './rules/rule.ts';
export * from './rules/rule-index.ts';
export * from './rules/rule-match.ts';
export * from './rules/rule-shape.ts';
export * from './rules/rulebook.ts';
export * from './rules/signer-group.ts';
export * from './rules/software-policy.ts';
export * from './matching/subject.ts';
export * from './matching/substring.ts';
export * from './matching/suspicion.ts';
export * from './rules/time-window.ts';
export * from './tools/tool-catalog.ts';
