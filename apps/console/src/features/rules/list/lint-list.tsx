import { Group, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Rule } from '../model.ts';
import { FindingBadge, FindingText } from '../parts/findings.tsx';
import type { LintFinding } from '../queries.ts';

interface LintListProps {
  readonly findings: readonly LintFinding[];
  readonly rules: readonly Rule[];
}

/** What the linter finds wrong with the rules: each finding with its rule and what would help. */
export function LintList({ findings, rules }: LintListProps) {
  const words = useTranslations('rules.findings');
  const named = new Map(rules.map((rule) => [rule.id, rule]));
  return (
    <Stack className="gh-card" gap="sm" component="section" aria-label={words('title')}>
      <Title order={2}>{words('title')}</Title>
      {findings.map((finding) => {
        const rule = named.get(finding.ruleId);
        if (!rule) return null;
        return (
          <Stack key={`${finding.ruleId} ${finding.code} ${finding.otherRuleId}`} gap={2}>
            <Group gap="xs">
              <FindingBadge finding={finding} />
              <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId: rule.orgId, ruleId: rule.id }}>
                {rule.name}
              </Link>
            </Group>
            <FindingText finding={finding} orgId={rule.orgId} />
          </Stack>
        );
      })}
    </Stack>
  );
}
