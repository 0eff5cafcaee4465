import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { NewProvider } from './model.ts';

export type Domain = DataOf<'/sso/domains', 'get'>['data'][number];

export const SCOPES = ['organization', 'partner'] as const;
type Scope = (typeof SCOPES)[number];

export const providersQuery = (filter: { readonly orgId?: string; readonly scope?: Scope }) =>
  queryOptions({
    queryKey: ['sign-on', 'providers', filter],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/providers', { params: { query: filter }, signal }))).data,
  });

export const providerQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-on', 'provider', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/providers/{id}', { params: { path: { id } }, signal }))).data,
  });

export const presetsQuery = queryOptions({
  queryKey: ['sign-on', 'presets'],
  queryFn: async ({ signal }) => (await ok(api.GET('/sso/presets', { signal }))).data,
  staleTime: Infinity,
});

/** The addresses that an identity provider has to know of us. */
export const ownAddressesQuery = queryOptions({
  queryKey: ['sign-on', 'service-provider'],
  queryFn: async ({ signal }) => (await ok(api.GET('/sso/service-provider', { signal }))).data,
  staleTime: Infinity,
});

export const enforcementQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-on', 'enforcement', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/providers/{id}/enforcement-preview', { params: { path: { id } }, signal }))).data,
  });

export const domainsQuery = (orgId?: string) =>
  queryOptions({
    queryKey: ['sign-on', 'domains', orgId],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/domains', { params: { query: { orgId } }, signal }))).data,
  });

const byId = (id: string) => ({ params: { path: { id } } });

export const createProvider = async (body: NewProvider) => (await ok(api.POST('/sso/providers', { body }))).data;
export const updateProvider = (id: string, body: BodyOf<'/sso/providers/{id}', 'patch'>) =>
  ok(api.PATCH('/sso/providers/{id}', { ...byId(id), body }));
export const deleteProvider = (id: string) => ok(api.DELETE('/sso/providers/{id}', byId(id)));
export const setStatus = (id: string, status: 'inactive' | 'testing' | 'active') =>
  ok(api.POST('/sso/providers/{id}/status', { ...byId(id), body: { status } }));
export const testProvider = (id: string) => ok(api.POST('/sso/providers/{id}/test', byId(id)));
export const createDomain = (orgId: string | undefined, domain: string) =>
  ok(api.POST('/sso/domains', { body: { domain, ...(orgId && { orgId }) } }));
export const verifyDomain = (id: string) => ok(api.POST('/sso/domains/{id}/verify', byId(id)));
export const deleteDomain = (id: string) => ok(api.DELETE('/sso/domains/{id}', byId(id)));
