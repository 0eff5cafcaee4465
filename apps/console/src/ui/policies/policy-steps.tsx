import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { QueryView } from '../state-views.tsx';
import { type Position, reachingPoliciesQuery, type ReachingPolicy, stepsAt } from './queries.ts';
import policiesWords from '../../words/en/policies.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ policies: policiesWords });

function PolicyLine({ policy: { id, name, mode, rules, enabled }, org }: { policy: ReachingPolicy; org: string }) {
  const words = useTranslations('policies');
  return (
    <Group component="li" gap="xs">
      <Link to="/rules/software-policies/$policyId" params={{ policyId: id }} search={{ org }}>
        {name}
      </Link>
      <Text span size="sm" c="dimmed">
        {words(`modes.${mode}`, { count: rules.length })}
      </Text>
      {!enabled && <Badge color="gray">{words('off')}</Badge>}
    </Group>
  );
}

interface PolicyStepsProps {
  readonly position: Position;
  /** The organisation whose policies are looked at. */
  readonly orgId: string;
}

/** The software policies that reach a place, the closest first. */
export function PolicySteps({ position, orgId }: PolicyStepsProps) {
  const words = useTranslations('policies');
  return (
    <QueryView query={useQuery(reachingPoliciesQuery(orgId))}>
      {({ policies, total }) => {
        const steps = stepsAt(position, policies);
        return (
          <Stack gap="xs">
            <Text className="gh-hint">{words(steps.length === 0 ? 'none' : 'order')}</Text>
            <ol className="gh-reach">
              {steps.map(({ level, policies: those }, at) => (
                <li key={level} data-level={level}>
                  <Group gap="xs">
                    <Text span size="sm" fw={600}>
                      {words(`levels.${level}`)}
                    </Text>
                    {at === 0 && <Badge>{words('closest')}</Badge>}
                  </Group>
                  <ul>
                    {those.map((policy) => (
                      <PolicyLine key={policy.id} policy={policy} org={orgId} />
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
            {total > policies.length && (
              <Text size="xs" c="dimmed">
                {words('truncated', { count: policies.length })}
              </Text>
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}
