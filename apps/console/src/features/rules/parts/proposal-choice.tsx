import { Group, Radio, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ElevationRequest } from '../../../ui/elevation/request.ts';
import type { Proposal } from '../queries.ts';
import { FindingBadge } from '../lint/findings.tsx';

interface ProposalChoiceProps {
  readonly request: ElevationRequest;
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

/** What a rule can take from the request, as the server proposes it: an unsigned file has no publisher. */
function kindOf({ flowType, targetExecutableSigner }: ElevationRequest) {
  if (flowType === 'ai_tool_action') return 'tool';
  if (flowType === 'tech_jit_admin') return 'access';
  return targetExecutableSigner ? 'signed' : 'unsigned';
}

/** How close a rule stays to the request that it is made from. */
export function ProposalChoice({ request, proposals, chosen, onChoose }: ProposalChoiceProps) {
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
            label={words(`strictness.${kindOf(request)}.${proposal.level}`)}
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
