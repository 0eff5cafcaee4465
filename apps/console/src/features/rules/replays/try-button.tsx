import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Candidate, candidateFor, keepCandidate } from './candidate.ts';

interface TryButtonProps {
  readonly orgId: string;
  readonly disabled: boolean;
  readonly change: (candidate: Candidate) => Candidate;
}

/** Takes the draft into the rule set that is tried out, instead of saving it. */
export function TryButton({ orgId, disabled, change }: TryButtonProps) {
  const words = useTranslations('rules.replays');
  const navigate = useNavigate();
  const press = () => {
    keepCandidate(orgId, change(candidateFor(orgId)));
    void navigate({ to: '/orgs/$orgId/replays', params: { orgId } });
  };
  if (!useCan()('POST /pam/replays')) return null;
  return (
    <Button variant="default" disabled={disabled} onClick={press}>
      {words('tryDraft')}
    </Button>
  );
}
