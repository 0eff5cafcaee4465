import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import settingsWords from '../../words/en/settings.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ settings: settingsWords });

export type Partner = DataOf<'/orgs/partners/me', 'get'>;
export type PartnerPatch = BodyOf<'/orgs/partners/me', 'patch'>;
export type Branding = NonNullable<DataOf<'/partners/me/login-branding', 'get'>['data']>;

/** The caller's own partner, or the one that an operator has chosen. */
export const partnerQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['settings', '/orgs/partners', id],
    queryFn: ({ signal }): Promise<Partner> =>
      id
        ? ok(api.GET('/orgs/partners/{id}', { params: { path: { id } }, signal }))
        : ok(api.GET('/orgs/partners/me', { signal })),
  });

export const updatePartner = (id: string | undefined, body: PartnerPatch): Promise<Partner> =>
  id
    ? ok(api.PATCH('/orgs/partners/{id}', { params: { path: { id } }, body }))
    : ok(api.PATCH('/orgs/partners/me', { body }));

/** As it is stored now. */
export const readBranding = async (): Promise<Branding | null> =>
  (await ok(api.GET('/partners/me/login-branding'))).data;

/** The version that was read goes along: a change made in between is not overwritten. */
export const updateBranding = (stored: Branding | null, body: BodyOf<'/partners/me/login-branding', 'put'>) =>
  ok(
    api.PUT('/partners/me/login-branding', {
      params: { header: stored ? { 'If-Match': `"${stored.version}"` } : {} },
      body,
    }),
  );
