import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { api, getQuery } from '../../api/client.ts';
import settingsWords from '../../words/en/settings.json';
import { addWords } from '../../words/index.ts';

addWords({ settings: settingsWords });

export type Partner = DataOf<'/orgs/partners/me', 'get'>;
export type PartnerPatch = BodyOf<'/orgs/partners/me', 'patch'>;
export type Branding = NonNullable<DataOf<'/partners/me/login-branding', 'get'>['data']>;

export const partnerQuery = getQuery('settings', '/orgs/partners/me', {});

export const updatePartner = (body: PartnerPatch) => ok(api.PATCH('/orgs/partners/me', { body }));

/** Null until the partner has branding of its own. */
export const brandingQuery = getQuery('settings', '/partners/me/login-branding', { select: ({ data }) => data });

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
