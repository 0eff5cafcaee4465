import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { DEFAULT_RULE_PRIORITY, type NewRuleDto } from '@gatehouse/contracts-pam';
import { onConstraint } from '@gatehouse/database';
import {
  checkPartnerRule,
  checkRuleShape,
  NO_CRITERIA,
  normaliseCriteria,
  type RuleFault,
  type ToolCatalog,
} from '@gatehouse/pam-domain';
import type { RulebookOwner } from '@gatehouse/pam-store';
import { requireSite } from '../tenants/require-place.ts';
import { foreignGroupProblem, type RuleValues } from './rules.repository.ts';

/** What a new rule has unless its author says otherwise. */
export const NEW_RULE = {
  ...NO_CRITERIA,
  priority: DEFAULT_RULE_PRIORITY,
  enabled: true,
  description: null,
  approvalDurationMinutes: null,
  expiresAt: null,
  mode: 'live',
  precedence: null,
  optOut: null,
} as const;

/** What the check of a draft rule refuses it with. */
export const RULE_PROBLEMS = [
  'pam_rule_invalid',
  'pam_rule_risk_tier_unreachable',
  'site_not_in_org',
  'signer_group_not_in_org',
] as const;

/** Maps a fault in a draft rule to its problem. */
export function ruleProblem(fault: RuleFault): ProblemError {
  if (fault.code === 'validation_failed') return invalid(fault.path, fault.message);
  return new ProblemError(fault.code, fault.message, 'validTiers' in fault ? { validTiers: fault.validTiers } : {});
}

const MAX_YEARS = 5;

/** A rule as a request gives it: its expiry is a text when the request names one. */
export type DraftRule = Omit<RuleValues, 'expiresAt'> & { readonly expiresAt: Date | string | null };

/** @throws ProblemError validation_failed for an expiry that is past or too far ahead */
function expiryOf({ expiresAt }: DraftRule): Date | null {
  if (typeof expiresAt !== 'string') return expiresAt;
  const [at, now] = [new Date(expiresAt), new Date()];
  const last = new Date(now);
  last.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  if (at <= now) throw invalid('expiresAt', 'must be in the future');
  if (at > last) throw invalid('expiresAt', `must be at most ${MAX_YEARS} years ahead`);
  return at;
}

/** Normalises a complete rule and checks its shape (PAM-36). */
export function shapedRule(draft: DraftRule, catalog: ToolCatalog): RuleValues {
  const values = { ...normaliseCriteria(draft), name: draft.name.trim(), expiresAt: expiryOf(draft) };
  const fault = checkRuleShape(values, catalog) ?? checkPartnerRule(values);
  if (fault) throw ruleProblem(fault);
  return values;
}

/** Like {@link shapedRule}, and checks the caller's reach. */
export function vettedRule(caller: UserCaller, draft: DraftRule, catalog: ToolCatalog): RuleValues {
  const values = shapedRule(draft, catalog);
  requireSite(caller, values.siteId);
  return values;
}

/** Maps the foreign keys of the signer group to the problem signer_group_not_in_org. */
export const foreignGroup = onConstraint({
  pam_rule_signer_group_in_org: foreignGroupProblem,
  pam_rule_partner_group: foreignGroupProblem,
});

type Members = Pick<RuleValues, 'precedence' | 'optOut'>;

/** Refuses members that only rules of the partner have. */
export function requirePartnerFor({ orgId }: Pick<RulebookOwner, 'orgId'>, named: Partial<Members>): void {
  if (orgId === null) return;
  const extra = (['precedence', 'optOut'] as const).find((member) => named[member] !== undefined);
  if (extra) throw invalid(extra, 'is a member of rules of the partner only');
}

/** The place of a new rule among those of its partner; null for a rule of an organisation. */
export function precedenceOf(owner: RulebookOwner, { precedence, optOut }: NewRuleDto): Members {
  requirePartnerFor(owner, { ...(precedence && { precedence }), ...(optOut && { optOut }) });
  if (owner.orgId !== null) return { precedence: null, optOut: null };
  if (precedence === undefined) throw invalid('precedence', 'is needed for a rule of the partner');
  return { precedence, optOut: optOut ?? 'none' };
}
