import type { ListedRuleRecord, PamRuleRecord } from '@gatehouse/contracts-pam';
import { type ToolCatalog, unreachableTier } from '@gatehouse/pam-domain';
import type { RuleRow } from './rules.repository.ts';

export function ruleView({ partnerId: _, ...row }: RuleRow): PamRuleRecord {
  return {
    ...row,
    shadowSince: row.shadowSince?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Adds to a list row whether the risk tier that the rule requires is still reachable (PAM-76). */
export function listedRule(row: RuleRow, catalog: ToolCatalog): ListedRuleRecord {
  const matchRiskTierValidTiers = unreachableTier(catalog, row);
  return { ...ruleView(row), matchRiskTierStale: matchRiskTierValidTiers !== null, matchRiskTierValidTiers };
}
