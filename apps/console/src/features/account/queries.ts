import { ok } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keepToken } from '../../api/session.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await ok(api.GET('/auth/sessions', { signal }))).data,
});

export const factorsQuery = queryOptions({
  queryKey: ['account', 'factors'],
  queryFn: async ({ signal }) => (await ok(api.GET('/auth/mfa/factors', { signal }))).data,
});

export const membershipsQuery = queryOptions({
  queryKey: ['account', 'memberships'],
  queryFn: async ({ signal }) => (await ok(api.GET('/auth/memberships', { signal }))).data,
});

export const linksQuery = queryOptions({
  queryKey: ['account', 'links'],
  queryFn: async ({ signal }) => (await ok(api.GET('/sso/link/options', { signal }))).data,
});

export const pushesQuery = queryOptions({
  queryKey: ['account', 'pushes'],
  queryFn: async ({ signal }) => (await ok(api.GET('/push-subscriptions', { signal }))).data,
});

const byId = (id: string) => ({ params: { path: { id } } });

export const endOwnSession = (id: string) => ok(api.DELETE('/auth/sessions/{id}', byId(id)));
export const removeFactor = (id: string) => ok(api.DELETE('/auth/mfa/factors/{id}', byId(id)));
export const testPush = (id: string) => ok(api.POST('/push-subscriptions/{id}/test', byId(id)));
export const changePassword = (currentPassword: string, newPassword: string) =>
  ok(api.POST('/auth/change-password', { body: { currentPassword, newPassword } }));

/** Another membership is another session in the place of this one. */
export async function switchMembership(membershipId: string): Promise<void> {
  keepToken((await ok(api.POST('/auth/membership', { body: { membershipId } }))).accessToken);
}
