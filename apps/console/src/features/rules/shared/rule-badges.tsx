import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import type { ListedRule } from '../model.ts';
import { FindingBadge } from '../lint/findings.tsx';
import type { LintFinding } from '../queries.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';

const DAY_MS = 86_400_000;
const YOUNG_DAYS = 7;

interface RuleBadgesProps {
  readonly rule: ListedRule;
  readonly findings?: readonly LintFinding[];
}

interface PlainBadgeProps {
  readonly color: string;
  readonly text: string;
  readonly kind?: 'gh-status' | 'gh-flag';
}

const PlainBadge = ({ color, text, kind = 'gh-status' }: PlainBadgeProps) => (
  <Badge color={color} className={kind}>
    {text}
  </Badge>
);

/** A rule that could have matched for a week and did not. */
const neverMatched = ({ lastMatchedAt, enabled, mode, createdAt, optedOut }: ListedRule): boolean =>
  !optedOut &&
  lastMatchedAt === null &&
  enabled &&
  mode === 'live' &&
  serverNow() - Date.parse(createdAt) > YOUNG_DAYS * DAY_MS;

/** Told by badges of their own. */
const OWN_BADGE: readonly LintFinding['code'][] = ['expired', 'expiring'];

function SiteBadge({ orgId, siteId }: { readonly orgId: string; readonly siteId: string }) {
  const words = useTranslations('rules');
  const name = useQuery(sitesQuery(orgId)).data?.find(({ id }) => id === siteId)?.name;
  return <PlainBadge color="blue" text={name ?? words('oneSite')} />;
}

function Ending({ rule: { expiresAt, expired } }: { readonly rule: ListedRule }) {
  const words = useTranslations('rules');
  const format = useFormatter();
  if (expired) return <PlainBadge color="gray" text={words('expired')} />;
  if (!expiresAt) return null;
  const day = format.dateTime(new Date(expiresAt), 'day');
  return <PlainBadge color="blue" text={words('endsOn', { day })} />;
}

/** Everything about a rule that its reader should not overlook. */
export function RuleBadges({ rule, findings = [] }: RuleBadgesProps) {
  const words = useTranslations('rules');
  return (
    <Group gap={4}>
      {rule.optedOut ? (
        <PlainBadge color="orange" text={words('left')} />
      ) : (
        <PlainBadge color={rule.enabled ? 'green' : 'gray'} text={words(rule.enabled ? 'on' : 'off')} />
      )}
      {rule.mode === 'shadow' && <PlainBadge color="violet" text={words('shadow')} />}
      <Ending rule={rule} />
      {rule.orgId && rule.siteId && <SiteBadge orgId={rule.orgId} siteId={rule.siteId} />}
      {rule.matchRiskTierStale && <PlainBadge color="orange" text={words('stale')} kind="gh-flag" />}
      {neverMatched(rule) && <PlainBadge color="gray" text={words('neverMatched')} />}
      {findings
        .filter(({ code }) => !OWN_BADGE.includes(code))
        .map((finding) => (
          <FindingBadge key={`${finding.code} ${finding.otherRuleId}`} finding={finding} />
        ))}
    </Group>
  );
}
