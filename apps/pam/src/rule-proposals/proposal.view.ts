import type { CreateRuleDto, RuleProposalRecord } from '@gatehouse/contracts-pam';
import type { Finding, Proposal, ProposedRule } from '@gatehouse/pam-domain';

interface Measured {
  readonly orgId: string;
  readonly matched30d: number;
  readonly findings: readonly Finding[];
}

/** The draft without criteria that are not set. */
function draftOf({ name, verdict, expiresAt, ...criteria }: ProposedRule, orgId: string): CreateRuleDto {
  const set = Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== null));
  return { orgId, name, verdict, ...set, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
}

export const proposalView = (
  { level, rule, why, whyNot }: Proposal,
  { orgId, matched30d, findings }: Measured,
): RuleProposalRecord => ({
  level,
  rule: rule && draftOf(rule, orgId),
  why,
  whyNot,
  matched30d,
  findings: [...findings],
});
