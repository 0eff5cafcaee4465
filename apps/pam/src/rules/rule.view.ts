import type { ListedRuleDto, PamRuleDto } from '@gatehouse/contracts-pam';
import { type ToolCatalog, unreachableTier } from '@gatehouse/pam-domain';
import type { RuleRow } from './rules.repository.ts';

export function ruleView({ partnerId: _, ...row }: RuleRow): PamRuleDto {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

/** PAM spec, "PAM rule": list rows tell whether the tier that they ask for can still come. */
export function listedRule(row: RuleRow, catalog: ToolCatalog): ListedRuleDto {
  const matchRiskTierValidTiers = unreachableTier(catalog, row);
  return { ...ruleView(row), matchRiskTierStale: matchRiskTierValidTiers !== null, matchRiskTierValidTiers };
}
