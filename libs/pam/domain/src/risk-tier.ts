import type { CriterionKey } from '@gatehouse/contracts-pam';
import { foldCase } from './text.ts';

/** How risky a tool is: 0 reads, 4 may destroy. An action's own tier stands above its tool's. */
export interface CatalogTool {
  readonly tier: number;
  readonly actions?: Readonly<Record<string, number>>;
}

/** Names of tools and actions in lower case. */
export type ToolCatalog = Readonly<Record<string, CatalogTool>>;

const HIGHEST_TIER = 4;

const toolOf = (catalog: ToolCatalog, name: string): CatalogTool | undefined => {
  const key = foldCase(name);
  return Object.hasOwn(catalog, key) ? catalog[key] : undefined;
};

/**
 * The tier of a tool's action. Of a tool that the catalogue does not know nothing can be said, so it counts as the
 * riskiest;
 * an action that it does not know counts as the riskiest of its tool, because the caller chooses its name.
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

/** What of a rule decides which tiers it can meet. */
export interface TierSelector {
  readonly matchToolName?: string | null;
  readonly matchRiskTier?: number | null;
  readonly matchNegate?: readonly CriterionKey[] | null;
}

/**
 * The tiers that the rule's tool selector can resolve to; null when it names a tool that the catalogue does not know.
 */
function tiersOf(catalog: ToolCatalog, { matchToolName, matchNegate }: TierSelector): number[] | null {
  const named = matchToolName ? toolOf(catalog, matchToolName) : undefined;
  if (matchToolName && !named) return null;
  if (named && !matchNegate?.includes('toolName')) return ascending(tiersOfTool(named));
  const others = Object.values(catalog).filter((tool) => tool !== named);
  return ascending([...others.flatMap(tiersOfTool), HIGHEST_TIER]);
}

/**
 * The tiers that a tier-pinned rule could have, when the one it has can never come (PAM-36, PAM-71, PAM-72
 * 6);
 * null when the rule can match, pins no tier, or names an unrecognised tool.
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
