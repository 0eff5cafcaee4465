import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Finding, ListedRule } from '../model.ts';
import { FindingBadge, FindingText } from './findings.tsx';

interface RuleFinding extends Finding {
  /** The id of the rule, or the ref of one that a replay adds. */
  readonly ruleId: string;
}

interface LintListProps {
  readonly findings: readonly RuleFinding[];
  readonly rules: readonly ListedRule[];
  readonly orgId: string;
}

/** What the linter finds wrong with several rules: each finding with its rule and what would help. */
export function LintList({ findings, rules, orgId }: LintListProps) {
  const names = new Map(rules.map(({ id, name }) => [id, name]));
  return findings.map((finding) => {
    const { ruleId, code, otherRuleId } = finding;
    const name = names.get(ruleId);
    return (
      <Stack key={`${ruleId} ${code} ${otherRuleId}`} gap={2}>
        <Group gap="xs">
          <FindingBadge finding={finding} />
          {name === undefined ? (
            <Text size="sm">{ruleId}</Text>
          ) : (
            <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId }}>
              {name}
            </Link>
          )}
        </Group>
        <FindingText finding={finding} orgId={orgId} />
      </Stack>
    );
  });
}
