import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ProviderPatch } from './draft.ts';
import type { NewProvider, Provider, Stage } from './model.ts';

export const SCOPES = ['organization', 'partner'] as const;
type Scope = (typeof SCOPES)[number];

export const providersQuery = (filter: { readonly orgId?: string; readonly scope?: Scope }) =>
  queryOptions({
    queryKey: ['sign-on', 'providers', filter],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/providers', { params: { query: filter }, signal }))).data,
  });

/** The features whose data change with a provider. */
export const CHANGES = ['sign-on', 'organizations'];

export const readProvider = async (id: string, signal?: AbortSignal): Promise<Provider> =>
  (await ok(api.GET('/sso/providers/{id}', { params: { path: { id } }, ...(signal && { signal }) }))).data;

export const providerQuery = (id: string) =>
  queryOptions({ queryKey: ['sign-on', 'provider', id], queryFn: ({ signal }) => readProvider(id, signal) });

/** The roles that people of an organisation or of the partner can have. */
export const rolesQuery = (axis: Provider['ownerScope']) =>
  queryOptions({
    queryKey: ['sign-on', 'roles', axis],
    queryFn: async ({ signal }) => (await ok(api.GET('/roles', { params: { query: { axis } }, signal }))).data,
  });

export type SignInEntry = DataOf<'/audit-logs', 'get'>['data'][number];

/** The last sign-in through a provider that succeeded, or that was refused; null before there is one. */
export const lastSignInQuery = (providerId: string, outcome: 'success' | 'rejected') => {
  const query = { resourceId: providerId, action: [`sso.login.${outcome}`], limit: 1 };
  return queryOptions({
    queryKey: ['sign-on', 'last-sign-in', providerId, outcome],
    queryFn: async ({ signal }) => (await ok(api.GET('/audit-logs', { params: { query }, signal }))).data[0] ?? null,
  });
};

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
  return queryOptions({
    queryKey: ['sign-on', 'attempts', query],
    queryFn: ({ signal }) => ok(api.GET('/sso/attempts', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

export const attemptQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-on', 'attempt', id],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/attempts/{id}', { params: { path: { id } }, signal }))).data,
  });

const TEST_POLL_MS = 1_500;

/** A test sign-in, asked for until the browser is back from the provider. */
export const testQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-on', 'test', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/test-sign-ins/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state: { data } }) => (data && data.status !== 'waiting' ? false : TEST_POLL_MS),
  });

export const presetsQuery = queryOptions({
  queryKey: ['sign-on', 'presets'],
  queryFn: async ({ signal }) => ok(api.GET('/sso/presets', { signal })),
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
    queryFn: async ({ signal }) => {
      const { data } = await ok(
        api.GET('/sso/providers/{id}/enforcement-preview', { params: { path: { id } }, signal }),
      );
      return { ...data, users: data.users.filter(({ outcome }) => outcome !== 'exempt') };
    },
  });

/** The people whom enforcement would never govern: at most two for each owner. */
export const breakGlassQuery = ({ ownerScope, orgId }: Pick<Provider, 'ownerScope' | 'orgId'>) => {
  const query = { breakGlass: true, scope: ownerScope, ...(orgId && { orgId }), limit: 10 };
  return queryOptions({
    queryKey: ['sign-on', 'break-glass', query],
    queryFn: async ({ signal }) => (await ok(api.GET('/users', { params: { query }, signal }))).data,
  });
};

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
  queryOptions({
    queryKey: ['sign-on', 'metadata-changes', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/providers/{id}/metadata-changes', { ...byId(id), signal }))).data,
  });

export const domainsQuery = (orgId?: string) =>
  queryOptions({
    queryKey: ['sign-on', 'domains', orgId],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/domains', { params: { query: { orgId } }, signal }))).data,
  });

export type SetupLink = DataOf<'/sso/setup-links', 'get'>['data'][number];

/** The set-up links of an organisation, the newest first. */
export const setupLinksQuery = (orgId?: string) =>
  queryOptions({
    queryKey: ['sign-on', 'setup-links', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/sso/setup-links', { params: { query: { orgId } }, signal }))).data,
  });

export const setupLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-on', 'setup-link', id],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/setup-links/{id}', { ...byId(id), signal }))).data,
  });

/** Whose settings: of an organisation, else of the partner itself. */
const settingsOf = (orgId?: string) => ({ query: orgId ? { orgId } : { scope: 'partner' as const } });

/** Whether alerts about the providers carry a link to renew what runs out. */
export const alertsQuery = (orgId?: string) =>
  queryOptions({
    queryKey: ['sign-on', 'alerts', orgId],
    queryFn: async ({ signal }) => (await ok(api.GET('/sso/settings', { params: settingsOf(orgId), signal }))).data,
  });

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
export const setAlerts = (orgId: string | undefined, renewLinkInAlerts: boolean) =>
  ok(api.PUT('/sso/settings', { params: settingsOf(orgId), body: { renewLinkInAlerts } }));
export const revokeSetupLink = (id: string) => ok(api.DELETE('/sso/setup-links/{id}', byId(id)));

/** Reads the metadata of a SAML provider from its address or from the text itself; nothing is saved. */
export const readMetadata = async (written: string) => {
  const source = written.trim().startsWith('<') ? { xml: written.trim() } : { url: written.trim() };
  return (await ok(api.POST('/sso/providers/metadata', { body: { ...source, withPem: true } }))).data;
};
