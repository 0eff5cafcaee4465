import type { ListedRuleRecord, PamRuleRecord } from '@gatehouse/contracts-pam';
import { type ToolCatalog, unreachableTier } from '@gatehouse/pam-domain';
import type { RuleRow } from './rules.repository.ts';

export function ruleView({ partnerId: _, ...row }: RuleRow): PamRuleRecord {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

/** PAM-76: list rows tell whether the tier that they ask for can still come. */
export function listedRule(row: RuleRow, catalog: ToolCatalog): ListedRuleRecord {
  const matchRiskTierValidTiers = unreachableTier(catalog, row);
  return { ...ruleView(row), matchRiskTierStale: matchRiskTierValidTiers !== null, matchRiskTierValidTiers };
}
