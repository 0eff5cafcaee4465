import { type DataOf, ok } from '@gatehouse/client';
import { api, getQuery } from '../../api/client.ts';
import { keepToken } from '../../api/session.ts';

export type Session = DataOf<'/auth/sessions', 'get'>['data'][number];
export type Factor = DataOf<'/auth/mfa/factors', 'get'>['data'][number];
export type Link = DataOf<'/sso/link/options', 'get'>['data'][number];
export type Push = DataOf<'/push-subscriptions', 'get'>['data'][number];

export const sessionsQuery = getQuery('account', '/auth/sessions', { select: ({ data }) => data });
export const factorsQuery = getQuery('account', '/auth/mfa/factors', { select: ({ data }) => data });
export const membershipsQuery = getQuery('account', '/auth/memberships', { select: ({ data }) => data });
export const linksQuery = getQuery('account', '/sso/link/options', { select: ({ data }) => data });
export const pushesQuery = getQuery('account', '/push-subscriptions', { select: ({ data }) => data });

const byId = (id: string) => ({ params: { path: { id } } });

export const endOwnSession = (id: string) => ok(api.DELETE('/auth/sessions/{id}', byId(id)));
export const removeFactor = (id: string) => ok(api.DELETE('/auth/mfa/factors/{id}', byId(id)));
export const newRecoveryCodes = async () => (await ok(api.POST('/auth/mfa/recovery-codes'))).recoveryCodes;

/** Goes to the identity provider, which sends the browser back to the profile. */
export async function startLink(providerId: string): Promise<void> {
  const { authUrl } = await ok(api.POST('/sso/link/start/{providerId}', { params: { path: { providerId } } }));
  location.assign(authUrl);
}

export const unlink = (providerId: string) =>
  ok(api.DELETE('/sso/link/{providerId}', { params: { path: { providerId } } }));
export const testPush = (id: string) => ok(api.POST('/push-subscriptions/{id}/test', byId(id)));
export const changePassword = (currentPassword: string, newPassword: string) =>
  ok(api.POST('/auth/change-password', { body: { currentPassword, newPassword } }));

/** Another membership is another session in the place of this one. */
export async function switchMembership(membershipId: string): Promise<void> {
  keepToken((await ok(api.POST('/auth/membership', { body: { membershipId } }))).accessToken);
}
