import type { UserCaller } from '@gatehouse/contracts-core';
import type { ListedRuleRecord, PamRuleRecord } from '@gatehouse/contracts-pam';
import { hasExpired, type ToolCatalog, unreachableTier } from '@gatehouse/pam-domain';
import { isAbove } from '../tenants/owners.ts';
import type { ListedRow, RuleRow } from './rules.repository.ts';

/** Leaves out what only lists show. */
export function ruleView({
  partnerId: _,
  updatedBy: __,
  lastMatchedAt: ___,
  matches30d: ____,
  ...row
}: RuleRow & Partial<ListedRow>): PamRuleRecord {
  return {
    ...row,
    ownerScope: row.orgId === null ? 'partner' : 'organization',
    shadowSince: row.shadowSince?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Adds to a list row its use, and whether the risk tier that the rule requires is still reachable (PAM-76). */
export function listedRule(
  { updatedBy, lastMatchedAt, matches30d, ...row }: ListedRow,
  catalog: ToolCatalog,
): ListedRuleRecord {
  const matchRiskTierValidTiers = unreachableTier(catalog, row);
  return {
    ...ruleView(row),
    matchRiskTierStale: matchRiskTierValidTiers !== null,
    matchRiskTierValidTiers,
    lastMatchedAt: lastMatchedAt?.toISOString() ?? null,
    matches30d,
    expired: hasExpired(row, new Date()),
    updatedBy,
  };
}

const UNSIGNED = { description: null, createdBy: null, createdByName: null, updatedBy: null };

/** Organisations see of their partner's rules what these do, not who wrote them and why. */
export const shownTo = (caller: UserCaller, rule: ListedRuleRecord): ListedRuleRecord =>
  isAbove(caller, rule) ? { ...rule, ...UNSIGNED } : rule;
