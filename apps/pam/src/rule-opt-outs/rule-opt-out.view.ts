import { type AuditSubject, ProblemError } from '@gatehouse/contracts-core';
import type { RuleOptOutRecord } from '@gatehouse/contracts-pam';
import type { OrgOfPartner } from '@gatehouse/pam-store';
import type { LeavableRule, OptOutRow } from './rule-opt-outs.repository.ts';

export const optOutView = ({ ruleId, orgId, reason, optedOutBy, byName, optedOutAt }: OptOutRow): RuleOptOutRecord => ({
  ruleId,
  orgId,
  reason,
  by: optedOutBy,
  byName,
  at: optedOutAt.toISOString(),
});

/** The entry stands in the log of the organisation that leaves the rule or comes back to it. */
export const optOutSubject = ({ id, name }: LeavableRule, { orgId, partnerId }: OrgOfPartner): AuditSubject => ({
  resource: { type: 'pam.rule', id, name },
  orgId,
  partnerId,
});

/** @throws ProblemError rule_not_found */
export function requireRule<T>(rule: T | null): T {
  if (rule === null) throw new ProblemError('rule_not_found', 'There is no such rule of the partner.');
  return rule;
}
