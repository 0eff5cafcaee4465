import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { TOLD_IN_PLACE } from '../../ui/unread.tsx';
import systemWords from '../../words/en/system.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ system: systemWords });

export type Partner = DataOf<'/orgs/partners', 'get'>['data'][number];

export const STATUSES = ['pending', 'active', 'suspended', 'churned'] as const;
export const PLANS = ['free', 'starter', 'community', 'pro', 'enterprise', 'unlimited'] as const;
export const TYPES = ['msp', 'enterprise', 'internal'] as const;
const PAGE_LENGTH = 50;

interface PartnerFilter {
  readonly q?: string;
  readonly page?: number;
}

export const partnersQuery = ({ q, page }: PartnerFilter) => {
  const query = { limit: PAGE_LENGTH, page: page ?? 1, search: q };
  return getQuery('system', '/orgs/partners', { query, placeholderData: keepPreviousData });
};

export const createPartner = (body: BodyOf<'/orgs/partners', 'post'>) => ok(api.POST('/orgs/partners', { body }));

export const updatePartner = (id: string, body: BodyOf<'/orgs/partners/{id}', 'patch'>) =>
  ok(api.PATCH('/orgs/partners/{id}', { params: { path: { id } }, body }));

export type Role = DataOf<'/roles', 'get'>['data'][number];

export const rolesQuery = getQuery('system', '/roles', { select: ({ data }) => data });

export const invite = (body: BodyOf<'/users', 'post'>) => ok(api.POST('/users', { body }));

export type ServiceState = DataOf<'/services/{service}', 'get'>;

const EVERY_MS = 10_000;
type Service = ServiceState['service'];
/** The compiler compares it with the contract. */
const EACH: Record<Service, true> = {
  identity: true,
  tenancy: true,
  pam: true,
  'pam-ingest': true,
  audit: true,
  notifier: true,
};
export const SERVICES = Object.keys(EACH) as Service[];

export const serviceQuery = (service: Service) =>
  getQuery('system', '/services/{service}', {
    path: { service },
    refetchInterval: EVERY_MS,
    retry: false,
    meta: TOLD_IN_PLACE,
  });
