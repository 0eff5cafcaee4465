import { invalid } from '@gatehouse/contracts-core';
import type { NewRuleDto } from '@gatehouse/contracts-pam';
import type { RulebookOwner } from '@gatehouse/pam-store';
import type { RuleValues } from './rules.repository.ts';

type Members = Pick<RuleValues, 'precedence' | 'optOut'>;

/**
 * Refuses members that only rules of the partner have.
 * @throws ProblemError validation_failed
 */
export function requirePartnerFor({ orgId }: Pick<RulebookOwner, 'orgId'>, named: Partial<Members>): void {
  if (orgId === null) return;
  const extra = (['precedence', 'optOut'] as const).find((member) => named[member] !== undefined);
  if (extra) throw invalid(extra, 'is a member of rules of the partner only');
}

/**
 * The place of a new rule among those of its partner; null for a rule of an organisation.
 * @throws ProblemError validation_failed
 */
export function precedenceOf(owner: RulebookOwner, { precedence, optOut }: NewRuleDto): Members {
  requirePartnerFor(owner, { ...(precedence && { precedence }), ...(optOut && { optOut }) });
  if (owner.orgId !== null) return { precedence: null, optOut: null };
  if (precedence === undefined) throw invalid('precedence', 'is needed for a rule of the partner');
  return { precedence, optOut: optOut ?? 'none' };
}
