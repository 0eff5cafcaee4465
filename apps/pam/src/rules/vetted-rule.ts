import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { DEFAULT_RULE_PRIORITY } from '@gatehouse/contracts-pam';
import { onConstraint } from '@gatehouse/database';
import { checkRuleShape, NO_CRITERIA, normaliseCriteria, type ToolCatalog } from '@gatehouse/pam-domain';
import { requireSite } from '../organizations/require-site.ts';
import { ruleProblem } from './rule-problem.ts';
import type { RuleValues } from './rules.repository.ts';

/** What a new rule has unless its author says otherwise. */
export const NEW_RULE = {
  ...NO_CRITERIA,
  priority: DEFAULT_RULE_PRIORITY,
  enabled: true,
  description: null,
  approvalDurationMinutes: null,
  mode: 'live',
} as const;

/**
 * Normalises a complete rule and checks its shape (PAM-36).
 * @throws ProblemError pam_rule_invalid, pam_rule_risk_tier_unreachable
 */
export function shapedRule(draft: RuleValues, catalog: ToolCatalog): RuleValues {
  const values = { ...normaliseCriteria(draft), name: draft.name.trim() };
  const fault = checkRuleShape(values, catalog);
  if (fault) throw ruleProblem(fault);
  return values;
}

/**
 * Like {@link shapedRule}, and checks the caller's reach.
 * @throws ProblemError pam_rule_invalid, pam_rule_risk_tier_unreachable, site_access_denied
 */
export function vettedRule(caller: UserCaller, draft: RuleValues, catalog: ToolCatalog): RuleValues {
  const values = shapedRule(draft, catalog);
  requireSite(caller, values.siteId);
  return values;
}

/** Maps the foreign key of the signer group to the problem signer_group_not_in_org. */
export const foreignGroup = onConstraint({
  pam_rule_signer_group_in_org: () =>
    new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.'),
});
