import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Candidate, changeCount, UNCHANGED } from './candidate.ts';

/**
 * The candidates of this tab, by organisation. They live until the page is left, which the browser asks about, or a
 * replay is applied.
 */
const candidates = new Map<string, Candidate>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const candidateFor = (orgId: string): Candidate => candidates.get(orgId) ?? UNCHANGED;

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Following links keeps a candidate; a reload or a closed tab would lose it, on whatever screen that happens. */
function guard(): void {
  const isUsed = [...candidates.values()].some((one) => changeCount(one) > 0);
  if (isUsed) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
}

export function keepCandidate(orgId: string, candidate: Candidate): void {
  candidates.set(orgId, candidate);
  guard();
  for (const listener of listeners) listener();
}

export const useCandidate = (orgId: string): Candidate => useSyncExternalStore(subscribe, () => candidateFor(orgId));

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
