import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { STATES } from './model.ts';

export type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

interface FreezeFilter {
  readonly org?: string;
  readonly state?: (typeof STATES)[number];
}

/** The freezes of an organisation with those of its partner, or all within reach. */
export const freezesQuery = ({ org, state }: FreezeFilter) => {
  const active = state && (state === 'active' ? ('true' as const) : ('false' as const));
  const query = { orgId: org, active };
  return queryOptions({
    queryKey: ['freezes', 'list', query],
    queryFn: async ({ signal }) => (await ok(api.GET('/pam/freezes', { params: { query }, signal }))).freezes,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
};

export const liftFreeze = (id: string, reason: string) =>
  ok(api.POST('/pam/freezes/{id}/lift', { params: { path: { id } }, body: { reason } }));
