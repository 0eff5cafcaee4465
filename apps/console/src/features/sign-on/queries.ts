import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import type { ProviderPatch } from './draft.ts';
import type { NewProvider, Provider, Stage } from './model.ts';

export const SCOPES = ['organization', 'partner'] as const;
type Scope = (typeof SCOPES)[number];

export const providersQuery = (filter: { readonly orgId?: string; readonly scope?: Scope }) =>
  getQuery('sign-on', '/sso/providers', { query: filter, select: ({ data }) => data });

/** The features whose data change with a provider. */
export const CHANGES = ['sign-on', 'organizations'];

export const readProvider = async (id: string): Promise<Provider> =>
  (await ok(api.GET('/sso/providers/{id}', byId(id)))).data;

export const providerQuery = (id: string) =>
  getQuery('sign-on', '/sso/providers/{id}', { path: { id }, select: ({ data }) => data });

/** The roles that people of an organisation or of the partner can have. */
export const rolesQuery = (axis: Provider['ownerScope']) =>
  getQuery('sign-on', '/roles', { query: { axis }, select: ({ data }) => data });

export type SignInEntry = DataOf<'/audit-logs', 'get'>['data'][number];

/** The last sign-in through a provider that succeeded, or that was refused; null before there is one. */
export const lastSignInQuery = (providerId: string, outcome: 'success' | 'rejected') =>
  getQuery('sign-on', '/audit-logs', {
    query: { resourceId: providerId, action: [`sso.login.${outcome}`], limit: 1 },
    select: ({ data }) => data[0] ?? null,
  });

export type Attempt = DataOf<'/sso/attempts', 'get'>['data'][number];
export const RESULTS = ['success', 'parked', 'refused'] as const;

interface AttemptFilter {
  readonly orgId?: string;
  readonly providerId?: string;
  readonly result?: Attempt['result'];
  readonly email?: string;
  readonly page?: number;
}

/** Sign-ins through providers that have ended, the newest first. */
export const attemptsQuery = ({ page = 1, ...filter }: AttemptFilter) => {
  const query = { ...filter, page, limit: 50 };
  return getQuery('sign-on', '/sso/attempts', { query, placeholderData: keepPreviousData });
};

export const attemptQuery = (id: string) =>
  getQuery('sign-on', '/sso/attempts/{id}', { path: { id }, select: ({ data }) => data });

const TEST_POLL_MS = 1_500;

/** A test sign-in, asked for until the browser is back from the provider. */
export const testQuery = (id: string) =>
  getQuery('sign-on', '/sso/test-sign-ins/{id}', {
    path: { id },
    select: ({ data }) => data,
    refetchInterval: ({ state: { data } }) => (data && data.data.status !== 'waiting' ? false : TEST_POLL_MS),
  });

export const presetsQuery = getQuery('sign-on', '/sso/presets', { staleTime: Infinity });

/** The addresses that an identity provider has to know of us. */
export const ownAddressesQuery = getQuery('sign-on', '/sso/service-provider', {
  select: ({ data }) => data,
  staleTime: Infinity,
});

export const enforcementQuery = (id: string) =>
  getQuery('sign-on', '/sso/providers/{id}/enforcement-preview', {
    path: { id },
    select: ({ data }) => ({ ...data, users: data.users.filter(({ outcome }) => outcome !== 'exempt') }),
  });

/** The people whom enforcement would never govern: at most two for each owner. */
export const breakGlassQuery = ({ ownerScope, orgId }: Pick<Provider, 'ownerScope' | 'orgId'>) =>
  getQuery('sign-on', '/users', {
    query: { breakGlass: true, scope: ownerScope, ...(orgId && { orgId }), limit: 10 },
    select: ({ data }) => data,
  });

/** Whether the connection with these settings of a provider has passed its test on this page. */
export const connectionQuery = ({ id, configVersion }: Pick<Provider, 'id' | 'configVersion'>) =>
  queryOptions({
    queryKey: ['connection', id, configVersion],
    queryFn: () => false,
    initialData: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });

export type MetadataChange = DataOf<'/sso/providers/{id}/metadata-changes', 'get'>['data'][number];

/** What a provider's metadata said that its settings did not, the newest first. */
export const metadataChangesQuery = (id: string) =>
  getQuery('sign-on', '/sso/providers/{id}/metadata-changes', { path: { id }, select: ({ data }) => data });

export const domainsQuery = (orgId?: string) =>
  getQuery('sign-on', '/sso/domains', { query: { orgId }, select: ({ data }) => data });

const byId = (id: string) => ({ params: { path: { id } } });

/** The version that was read goes along: a change made in between is not overwritten. */
const asRead = ({ id, version }: Provider) => ({
  params: { path: { id }, header: { 'If-Match': `"${version}"` } },
});

export const createProvider = async (body: NewProvider) => (await ok(api.POST('/sso/providers', { body }))).data;
export const updateProvider = async (provider: Provider, body: ProviderPatch) =>
  (await ok(api.PATCH('/sso/providers/{id}', { ...asRead(provider), body }))).data;
/** @param body what confirms or overrides, and the date of the stage `warn` */
export const setEnforcement = (
  provider: Provider,
  body: { readonly stage: Stage; readonly enforceAt?: string; readonly confirmStuck?: number },
) => ok(api.PUT('/sso/providers/{id}/enforcement', { ...asRead(provider), body }));
export const deleteProvider = (provider: Provider) => ok(api.DELETE('/sso/providers/{id}', asRead(provider)));
export const setStatus = (provider: Provider, status: Provider['status']) =>
  ok(api.POST('/sso/providers/{id}/status', { ...asRead(provider), body: { status } }));
export const renewEncryptionKey = (provider: Provider) =>
  ok(api.POST('/sso/providers/{id}/encryption-key', asRead(provider)));
export const beginTest = async (id: string) => (await ok(api.POST('/sso/providers/{id}/test-sign-ins', byId(id)))).data;
export type BegunTest = Awaited<ReturnType<typeof beginTest>>;
export const testProvider = (id: string) => ok(api.POST('/sso/providers/{id}/test', byId(id)));
export const createDomain = (orgId: string | undefined, domain: string) =>
  ok(api.POST('/sso/domains', { body: { domain, ...(orgId && { orgId }) } }));
export const verifyDomain = (id: string) => ok(api.POST('/sso/domains/{id}/verify', byId(id)));
export const deleteDomain = (id: string) => ok(api.DELETE('/sso/domains/{id}', byId(id)));

export const refreshMetadata = async (id: string) =>
  (await ok(api.POST('/sso/providers/{id}/metadata/refresh', byId(id)))).data;
export const applyMetadataChange = (id: string) => ok(api.POST('/sso/metadata-changes/{id}/apply', byId(id)));
export const dismissMetadataChange = (id: string) => ok(api.POST('/sso/metadata-changes/{id}/dismiss', byId(id)));

export const createSetupLink = (body: BodyOf<'/sso/setup-links', 'post'>) => ok(api.POST('/sso/setup-links', { body }));

/** Reads the metadata of a SAML provider from its address or from the text itself; nothing is saved. */
export const readMetadata = async (written: string) => {
  const source = written.trim().startsWith('<') ? { xml: written.trim() } : { url: written.trim() };
  return (await ok(api.POST('/sso/providers/metadata', { body: { ...source, withPem: true } }))).data;
};
