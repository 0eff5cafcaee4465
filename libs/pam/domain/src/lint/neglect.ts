import { unreachableTier } from '../tools/risk-tier.ts';
import { hasExpired } from '../rules/rule.ts';
import { type Found, isLive, type LintRule, type LintSource } from './finding.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 60;
const EXPIRING_DAYS = 14;

const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS);

type Check = (rule: LintRule, source: LintSource) => Found | null;

const obstacleOf: (...given: Parameters<Check>) => string | null = (rule, { signerGroups, siteIds, catalog }) => {
  if (rule.siteId !== null && !siteIds.has(rule.siteId)) return 'Its site is gone.';
  if (rule.matchSignerGroupId !== null) {
    const signers = signerGroups.get(rule.matchSignerGroupId);
    if (!signers) return 'Its signer group is gone.';
    if (signers.length === 0 && !rule.matchNegate?.includes('signerGroup')) return 'Its signer group is empty.';
  }
  return unreachableTier(catalog, rule) && 'The tool that it selects never has its risk tier.';
};

const unreachable: Check = (rule, source) => {
  const obstacle = obstacleOf(rule, source);
  return obstacle === null
    ? null
    : {
        code: 'unreachable',
        detail: `The rule cannot match. ${obstacle}`,
        suggestion: 'Correct the criterion, or delete the rule.',
      };
};

const selfServing: Check = (rule, { use }) =>
  rule.verdict === 'auto_approve' && use.selfServing.has(rule.id)
    ? {
        code: 'self_serving',
        detail: 'Within 30 days the rule granted a request of a person who had edited it.',
        suggestion: 'Let a colleague review the rule.',
      }
    : null;

const unused: Check = (rule, { use, at }) => {
  const since = daysBefore(at, UNUSED_DAYS);
  const last = use.lastMatchedAt.get(rule.id);
  if (!isLive(rule, at) || rule.createdAt > since || (last && last > since)) return null;
  return {
    code: 'unused',
    detail: `Nothing has matched the rule for ${UNUSED_DAYS} days.`,
    suggestion: 'Disable or delete it.',
  };
};

const expiring: Check = ({ expiresAt }, { at }) =>
  expiresAt !== null && daysBefore(expiresAt, EXPIRING_DAYS) <= at
    ? {
        code: 'expiring',
        detail: `The rule stops matching within ${EXPIRING_DAYS} days.`,
        suggestion: 'Give it a later end if it is still needed.',
      }
    : null;

/** The only finding about a rule that no longer matches. */
export const expiryOf: Check = (rule, { at }) =>
  hasExpired(rule, at)
    ? {
        code: 'expired',
        detail: 'The rule has expired and no longer matches.',
        suggestion: 'Delete it, or give it a later end.',
      }
    : null;

/** What time and other changes made of a rule. */
export const neglectOf = (rule: LintRule, source: LintSource): Found[] =>
  [unreachable, selfServing, unused, expiring].flatMap((check) => check(rule, source) ?? []);
