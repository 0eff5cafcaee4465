import {
  CRITERION_FIELDS,
  type CriterionField,
  type CriterionKey,
  type RuleMode,
  type RulePrecedence,
  type Verdict,
} from '@gatehouse/contracts-pam';
import { type ToolCatalog, unreachableTier } from '../tools/risk-tier.ts';
import { type Criteria, TEXT_FIELDS, type TimeWindow } from './rule.ts';
import { timeWindowFault } from './time-window.ts';

/** The criteria of a draft rule. A criterion that is null or missing is not set. */
export type DraftCriteria = { -readonly [F in CriterionField]?: Criteria[F] } & {
  matchNegate?: readonly CriterionKey[] | null;
  timeWindow?: TimeWindow | null;
};

const TOOL_FIELDS: readonly CriterionField[] = ['matchToolName', 'matchRiskTier'];
const SUBJECT_FIELDS: readonly CriterionField[] = ['matchUser', 'matchAdGroup'];
const CRITERION_FIELD_NAMES = Object.values(CRITERION_FIELDS);
const EXECUTABLE_FIELDS = CRITERION_FIELD_NAMES.filter((field) => ![...TOOL_FIELDS, ...SUBJECT_FIELDS].includes(field));

export type RuleFault =
  | { readonly code: 'validation_failed'; readonly path: string; readonly message: string }
  | { readonly code: 'pam_rule_invalid'; readonly message: string }
  | {
      readonly code: 'pam_rule_risk_tier_unreachable';
      readonly message: string;
      readonly validTiers: readonly number[];
    };

const invalidRule = (message: string): RuleFault => ({ code: 'pam_rule_invalid', message });
const isSet = (rule: DraftCriteria, field: CriterionField): boolean =>
  rule[field] !== null && rule[field] !== undefined;

/**
 * Normalises criteria for storage: blank texts become null, hashes lower case, and all texts but the command line are
 * trimmed.
 */
export function normaliseCriteria<T extends DraftCriteria>(rule: T): T {
  const kept = { ...rule };
  for (const field of TEXT_FIELDS) {
    const text = kept[field];
    if (typeof text !== 'string') continue;
    const trimmed = field === 'matchCommandLine' ? text : text.trim();
    kept[field] = text.trim() === '' ? null : field === 'matchHash' ? trimmed.toLowerCase() : trimmed;
  }
  if (kept.matchNegate) kept.matchNegate = [...new Set(kept.matchNegate)];
  return kept;
}

/**
 * Checks a complete rule (on an update, the merged one) against the shape rules, in the order of the specification
 * (PAM-36, PAM-71, PAM-72); null when it is valid.
 */
export function checkRuleShape(
  rule: DraftCriteria & { readonly verdict: Verdict },
  catalog: ToolCatalog,
): RuleFault | null {
  const fault = criteriaFault(rule);
  if (fault) return invalidRule(fault);
  if (rule.verdict === 'ignore' && TOOL_FIELDS.some((field) => isSet(rule, field)))
    return invalidRule('A tool-action rule cannot have the verdict ignore.');
  const validTiers = unreachableTier(catalog, rule);
  if (validTiers) {
    const message = `The tool that this rule selects never has risk tier ${rule.matchRiskTier}; it can have ${validTiers.join(', ')}.`;
    return { code: 'pam_rule_risk_tier_unreachable', message, validTiers };
  }
  const windowFault = rule.timeWindow ? timeWindowFault(rule.timeWindow) : null;
  return (
    windowFault && { code: 'validation_failed', path: `timeWindow.${windowFault.member}`, message: windowFault.message }
  );
}

/** What a rule of the partner may be, besides what every rule may be. */
interface PartnerRule {
  readonly precedence: RulePrecedence | null;
  readonly verdict: Verdict;
  readonly siteId: string | null;
  readonly mode: RuleMode;
}

const TIGHTENING: readonly Verdict[] = ['auto_deny', 'require_approval'];

/** Checks a rule of the partner (PAM-260); null when it is valid, or a rule of an organisation. */
export function checkPartnerRule({ precedence, verdict, siteId, mode }: PartnerRule): RuleFault | null {
  if (precedence === null) return null;
  if (siteId !== null) return invalidRule('A rule of the partner cannot name a site.');
  if (mode === 'shadow') return invalidRule('A rule of the partner cannot be a shadow rule.');
  if (precedence === 'before' && !TIGHTENING.includes(verdict))
    return invalidRule('A rule of the partner that comes before others can only deny or require approval.');
  return null;
}

function criteriaFault(rule: DraftCriteria): string | null {
  if (!CRITERION_FIELD_NAMES.some((field) => isSet(rule, field)))
    return 'A rule needs at least one identifying criterion: signer, signer group, hash, path, parent, command line, user, group, tool or tier.';
  const isExecutable = EXECUTABLE_FIELDS.some((field) => isSet(rule, field));
  const isTool = TOOL_FIELDS.some((field) => isSet(rule, field));
  if (isExecutable && isTool)
    return 'A rule is about executables or about tool actions; it cannot mix criteria of both.';
  if (isSet(rule, 'matchSigner') && isSet(rule, 'matchSignerGroupId'))
    return 'matchSigner and matchSignerGroupId exclude each other.';
  return null;
}
