import { Group, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { CRITERIA, CRITERION_NAMES, type Rule, WEEK } from '../model.ts';
import type { LintFinding } from '../queries.ts';
import { dropTarget, MoveHandle } from './move-handle.tsx';
import { RuleActs } from './rule-acts.tsx';
import { RuleBadges } from './rule-badges.tsx';
import { type Order, useOrder } from './use-order.ts';

const VALUE_LENGTH = 40;

/** The hours and days on which a rule holds, with the zone that it names. */
function Hours({ window: { start, end, days, timezone } }: { readonly window: NonNullable<Rule['timeWindow']> }) {
  const words = useTranslations('rules');
  const names = WEEK.filter((day) => days?.includes(day)).map((day) => words(`days.d${day}`));
  return (
    <Text size="sm">
      {words('hours', { start, end, zone: timezone ?? 'UTC' })} {names.join(', ')}
    </Text>
  );
}

function Criteria({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  return (
    <Group gap={6}>
      {CRITERION_NAMES.filter((name) => rule[CRITERIA[name]] !== null).map((name) => (
        <Text key={name} size="sm">
          {words(`criterion.${name}`)} {words(rule.matchNegate?.includes(name) ? 'isNot' : 'is')}{' '}
          <SafeText value={String(rule[CRITERIA[name]])} path={name === 'pathGlob'} most={VALUE_LENGTH} />
        </Text>
      ))}
      {rule.timeWindow && <Hours window={rule.timeWindow} />}
    </Group>
  );
}

function Usage({ rule: { matches30d, lastMatchedAt } }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  return (
    <Text size="sm">
      {words('matches', { count: matches30d })}
      {lastMatchedAt && (
        <Text span size="xs" c="dimmed" display="block">
          <Instant at={lastMatchedAt} />
        </Text>
      )}
    </Text>
  );
}

function useColumns(order: Order, findingsOf: (rule: Rule) => readonly LintFinding[]): readonly Column<Rule>[] {
  const words = useTranslations('rules');
  return [
    { id: 'order', header: words('order'), cell: (rule) => <MoveHandle {...{ rule, order }} /> },
    {
      id: 'name',
      header: words('name'),
      cell: (rule) => (
        <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId: rule.orgId, ruleId: rule.id }} data-open>
          {rule.name}
        </Link>
      ),
    },
    { id: 'criteria', header: words('criteria'), cell: (rule) => <Criteria rule={rule} /> },
    { id: 'verdict', header: words('verdict'), cell: (rule) => words(`verdicts.${rule.verdict}`) },
    { id: 'usage', header: words('usage'), cell: (rule) => <Usage rule={rule} /> },
    {
      id: 'state',
      header: words('state'),
      cell: (rule) => <RuleBadges rule={rule} findings={findingsOf(rule)} />,
    },
    { id: 'acts', header: words('acts'), bare: true, cell: (rule) => <RuleActs {...{ rule, order }} /> },
  ];
}

interface RuleTableProps {
  readonly orgId: string;
  /** All rules of the organisation, and those of them that are shown. */
  readonly rules: readonly Rule[];
  readonly shown: readonly Rule[];
  readonly findings: readonly LintFinding[];
}

/** The rules in the order in which they decide; they are moved by dragging, from the menu or with the arrow keys. */
export function RuleTable({ orgId, rules, shown, findings }: RuleTableProps) {
  const words = useTranslations('rules');
  const order = useOrder(orgId, rules);
  const columns = useColumns(order, (rule) => findings.filter(({ ruleId }) => ruleId === rule.id));
  return (
    <>
      <VisuallyHidden role="status">{order.said}</VisuallyHidden>
      <DataTable
        label={words('title')}
        columns={columns}
        rows={shown}
        idOf={({ id }) => id}
        rowProps={dropTarget(order)}
      />
    </>
  );
}
