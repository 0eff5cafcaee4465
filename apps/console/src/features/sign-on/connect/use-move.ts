import { getRouteApi } from '@tanstack/react-router';
import type { STEPS } from '../model.ts';

const route = getRouteApi('/sign-on/new');
export type Step = (typeof STEPS)[number];

/** Moves within the wizard: each step has an address of its own. */
export function useMove() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (step: Step, more: { readonly preset?: string; readonly provider?: string } = {}) => {
    const { field: _, ...kept } = search;
    void navigate({ search: { ...kept, ...more, step } });
  };
}
