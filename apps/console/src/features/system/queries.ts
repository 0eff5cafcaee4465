import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export type Partner = DataOf<'/orgs/partners', 'get'>['data'][number];

export const STATUSES = ['pending', 'active', 'suspended', 'churned'] as const;
export const PLANS = ['free', 'starter', 'community', 'pro', 'enterprise', 'unlimited'] as const;
export const TYPES = ['msp', 'enterprise', 'internal'] as const;
const PAGE_LENGTH = 50;

export const partnersQuery = (page = 1) => {
  const query = { limit: PAGE_LENGTH, page };
  return queryOptions({
    queryKey: ['system', 'partners', query],
    queryFn: ({ signal }) => ok(api.GET('/orgs/partners', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

export const createPartner = (body: BodyOf<'/orgs/partners', 'post'>) => ok(api.POST('/orgs/partners', { body }));

export const updatePartner = (id: string, body: BodyOf<'/orgs/partners/{id}', 'patch'>) =>
  ok(api.PATCH('/orgs/partners/{id}', { params: { path: { id } }, body }));
