import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import type { Rule } from '../model.ts';
import type { LintFinding } from '../queries.ts';
import { dropTarget, MoveHandle } from './move-handle.tsx';
import { RuleActs } from './rule-acts.tsx';
import { RuleBadges } from '../shared/rule-badges.tsx';
import { Criteria, Usage } from '../shared/rule-cells.tsx';
import { type Order, useOrder } from './use-order.ts';

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
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      needs: 'PATCH /pam/rules/{id}',
      cell: (rule) => <RuleActs {...{ rule, order }} />,
    },
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
