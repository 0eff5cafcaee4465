import { Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import type { PartnerRule, Precedence } from '../model.ts';
import { RuleBadges } from '../shared/rule-badges.tsx';
import { Criteria, Usage } from '../shared/rule-cells.tsx';
import '../partner-words.ts';

interface PartnerPartProps {
  readonly place: Precedence;
  readonly rules: readonly PartnerRule[];
  readonly title: string;
  /** What only one of both lists tells about a rule. */
  readonly further: readonly Column<PartnerRule>[];
}

/** The rules of the partner at one place, with what they do. */
export function PartnerPart({ place, rules, title, further }: PartnerPartProps) {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  const columns: readonly Column<PartnerRule>[] = [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/rules/partner/$ruleId" params={{ ruleId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'criteria', header: words('criteria'), cell: (rule) => <Criteria rule={rule} /> },
    { id: 'verdict', header: words('verdict'), cell: (rule) => words(`verdicts.${rule.verdict}`) },
    { id: 'usage', header: words('usage'), cell: (rule) => <Usage rule={rule} /> },
    { id: 'state', header: words('state'), cell: (rule) => <RuleBadges rule={rule} /> },
    ...further,
  ];
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      <Text className="gh-hint">{partnerWords(`partTexts.${place}`)}</Text>
      {rules.length === 0 ? (
        <Text size="sm">{partnerWords('noneHere')}</Text>
      ) : (
        <DataTable label={title} columns={columns} rows={rules} idOf={({ id }) => id} />
      )}
    </Stack>
  );
}
