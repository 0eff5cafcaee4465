import { Text, Title } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { later } from '../../../ui/later/later.ts';
import { LoadingView } from '../../../ui/state-views.tsx';
import { type ListedRule, ownRules } from '../model.ts';
import type { LintFinding } from '../queries.ts';
import { RuleTable } from './rule-table.tsx';

/** Loaded where the partner has rules. */
const PartnerSection = later(async () => ({
  default: (await import('../partner/partner-section.tsx')).PartnerSection,
}));

interface RulePartsProps {
  readonly orgId: string;
  /** All rules that reach the organisation, and those of them that are shown. */
  readonly rules: readonly ListedRule[];
  readonly shown: readonly ListedRule[];
  readonly found: readonly LintFinding[];
}

/** The organisation's rules between those of its partner, in the order in which they decide. */
export function RuleParts({ orgId, rules, shown, found }: RulePartsProps) {
  const words = useTranslations('rules');
  // The order follows the list as long as it is the same one.
  const own = useMemo(() => ownRules(rules), [rules]);
  const shownOwn = ownRules(shown);
  const table = <RuleTable orgId={orgId} rules={own} shown={shownOwn} findings={found} />;
  if (own.length === rules.length) return table;
  return (
    <Suspense fallback={<LoadingView />}>
      <PartnerSection {...{ orgId, shown }} place="before" />
      {(shownOwn.length > 0 || own.length === 0) && <Title order={2}>{words('ofOrganization')}</Title>}
      {own.length === 0 && <Text size="sm">{words('noOwn')}</Text>}
      {shownOwn.length > 0 && table}
      <PartnerSection {...{ orgId, shown }} place="after" />
    </Suspense>
  );
}
