import { Group, Radio, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Proposal } from '../queries.ts';
import { FindingBadge } from '../lint/findings.tsx';

interface ProposalChoiceProps {
  readonly proposals: readonly Proposal[];
  readonly chosen: Proposal | undefined;
  readonly onChoose: (level: Proposal['level']) => void;
}

function Description({ proposal: { rule, why, whyNot, matched30d, findings } }: { readonly proposal: Proposal }) {
  const words = useTranslations('rules');
  if (rule === null) return whyNot;
  return (
    <Stack gap={4} component="span">
      <span>
        {why} {words('matched30d', { count: matched30d })}
      </span>
      {findings.length > 0 && (
        <Group gap={4} component="span">
          {findings.map((finding) => (
            <FindingBadge key={finding.code} finding={finding} />
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** How close a rule stays to the request that it is made from. */
export function ProposalChoice({ proposals, chosen, onChoose }: ProposalChoiceProps) {
  const words = useTranslations('rules');
  return (
    <Radio.Group
      label={words('fromRequest')}
      value={chosen?.level ?? null}
      onChange={(level) => onChoose(level as Proposal['level'])}
      className="gh-card"
    >
      <Stack gap="sm" mt="xs">
        {proposals.map((proposal) => (
          <Radio
            key={proposal.level}
            value={proposal.level}
            disabled={proposal.rule === null}
            label={words(`strictness.${proposal.level}`)}
            description={<Description proposal={proposal} />}
          />
        ))}
      </Stack>
      {chosen === undefined && (
        <Text size="sm" mt="xs">
          {words('noProposal')}
        </Text>
      )}
    </Radio.Group>
  );
}
