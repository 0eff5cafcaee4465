import { Alert, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Finding } from '../model.ts';

const COLORS: Readonly<Record<Finding['severity'], string>> = { error: 'red', warning: 'orange', info: 'blue' };

interface FindingBadgeProps {
  readonly finding: Pick<Finding, 'code' | 'severity'>;
}

/** What the linter calls a fault of a rule, in words and colour. */
export function FindingBadge({ finding: { code, severity } }: FindingBadgeProps) {
  const words = useTranslations('rules.findings');
  return (
    <Badge color={COLORS[severity]} className="gh-flag">
      {words(`codes.${code}`)}
    </Badge>
  );
}

interface FindingTextProps {
  readonly finding: Finding;
  readonly orgId: string;
}

/** What is wrong, what would help, and the other rule that it is about. */
export function FindingText({ finding, orgId }: FindingTextProps) {
  const words = useTranslations('rules.findings');
  const { detail, suggestion, otherRuleId } = finding;
  return (
    <Text size="sm">
      {detail} {suggestion}{' '}
      {otherRuleId && (
        <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId: otherRuleId }}>
          {words('other')}
        </Link>
      )}
    </Text>
  );
}

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly orgId: string;
}

/** What the linter finds wrong with one draft. */
export function Findings({ findings, orgId }: FindingsProps) {
  const words = useTranslations('rules.findings.codes');
  return findings.map((finding) => (
    <Alert key={`${finding.code} ${finding.detail}`} color={COLORS[finding.severity]} variant="light" p="xs">
      <Text size="sm" fw={600}>
        {words(finding.code)}
      </Text>
      <FindingText finding={finding} orgId={orgId} />
    </Alert>
  ));
}
