import type { CriterionKey } from '@gatehouse/contracts-pam';
import { foldCase } from '@gatehouse/windows-paths';

/** A tool's risk tier, from 0 (reads) to 4 (may destroy). The tier of an action overrides its tool's. */
export interface CatalogTool {
  readonly tier: number;
  readonly actions?: Readonly<Record<string, number>>;
}

/** Keyed by the names of tools; these and the names of actions are in lower case. */
export type ToolCatalog = Readonly<Record<string, CatalogTool>>;

const HIGHEST_TIER = 4;

const toolOf = (catalog: ToolCatalog, name: string): CatalogTool | undefined => {
  const key = foldCase(name);
  return Object.hasOwn(catalog, key) ? catalog[key] : undefined;
};

/**
 * The risk tier of a tool's action. An unknown tool gets the highest tier. An unknown action gets the highest tier of
 * its tool, because the caller chooses the action's name.
 */
export function riskTierOf(catalog: ToolCatalog, toolName: string, action?: string | null): number {
  const tool = toolOf(catalog, toolName);
  if (!tool) return HIGHEST_TIER;
  if (!action) return tool.tier;
  const { actions = {} } = tool;
  const key = foldCase(action);
  return Object.hasOwn(actions, key) ? actions[key]! : Math.max(...tiersOfTool(tool));
}

const tiersOfTool = ({ tier, actions = {} }: CatalogTool): number[] => [tier, ...Object.values(actions)];
const ascending = (tiers: readonly number[]): number[] => [...new Set(tiers)].sort((one, other) => one - other);

/** The criteria of a rule that determine which tiers it can match. */
export interface TierSelector {
  readonly matchToolName?: string | null;
  readonly matchRiskTier?: number | null;
  readonly matchNegate?: readonly CriterionKey[] | null;
}

/** The tiers of the tools that the selector matches; null when it names a tool that is not in the catalogue. */
function tiersOf(catalog: ToolCatalog, { matchToolName, matchNegate }: TierSelector): number[] | null {
  const named = matchToolName ? toolOf(catalog, matchToolName) : undefined;
  if (matchToolName && !named) return null;
  if (named && !matchNegate?.includes('toolName')) return ascending(tiersOfTool(named));
  const others = Object.values(catalog).filter((tool) => tool !== named);
  return ascending([...others.flatMap(tiersOfTool), HIGHEST_TIER]);
}

/**
 * If a rule requires a risk tier that its tools never have, returns the tiers they can have (PAM-36, PAM-71, PAM-72,
 * PAM-73).
 * Null when the rule can match, requires no tier, or names an unknown tool.
 */
export function unreachableTier(catalog: ToolCatalog, selector: TierSelector): number[] | null {
  const { matchRiskTier, matchNegate } = selector;
  if (matchRiskTier === null || matchRiskTier === undefined) return null;
  const tiers = tiersOf(catalog, selector);
  if (!tiers) return null;
  const matching = matchNegate?.includes('riskTier')
    ? tiers.filter((tier) => tier !== matchRiskTier)
    : tiers.filter((tier) => tier === matchRiskTier);
  return matching.length > 0 ? null : tiers;
}
