import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { STEPS } from '../model.ts';
import { connectionQuery, providerQuery } from '../queries.ts';

const route = getRouteApi('/sign-on/new');
export type Step = (typeof STEPS)[number];

/** Moves within the wizard: each step has an address of its own. */
export function useMove() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (step: Step, more: { readonly preset?: string; readonly provider?: string | undefined } = {}) => {
    const { field: _, ...kept } = search;
    void navigate({ search: { ...kept, ...more, step } });
  };
}

/** A provider whose connection or test sign-in has succeeded, or which is active. */
export function useIsProven(providerId: string | undefined): boolean {
  const provider = useQuery({ ...providerQuery(providerId ?? ''), enabled: providerId !== undefined }).data;
  const hasPassed = useQuery(connectionQuery(provider ?? { id: '', configVersion: 0 })).data;
  return hasPassed || provider?.status === 'active';
}
