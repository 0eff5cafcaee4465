import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export type Policy = DataOf<'/pam/software-policies', 'get'>['softwarePolicies'][number];
export type Entry = Policy['rules'][number];
export const MODES = ['allowlist', 'blocklist', 'audit'] as const;
export const CHANGES = ['software-policies'];
const PAGE_LENGTH = 50;

export const policiesQuery = (orgId: string | undefined, page = 1) =>
  queryOptions({
    queryKey: ['software-policies', 'list', orgId, page],
    queryFn: ({ signal }) =>
      ok(api.GET('/pam/software-policies', { params: { query: { orgId, page, limit: PAGE_LENGTH } }, signal })),
    placeholderData: keepPreviousData,
  });

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['software-policies', 'one', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/software-policies/{id}', { params: { path: { id } }, signal }))).softwarePolicy,
  });

/** As it is stored now. */
export const readPolicy = async (id: string): Promise<Policy> =>
  (await ok(api.GET('/pam/software-policies/{id}', { params: { path: { id } } }))).softwarePolicy;

/** Where a device is: its site and its groups. */
export const devicePlaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: ({ signal }) => ok(api.GET('/devices/{id}', { params: { path: { id } }, signal })),
  });

export const createPolicy = (body: BodyOf<'/pam/software-policies', 'post'>) =>
  ok(api.POST('/pam/software-policies', { body }));

/** The version that was read goes along: a change made in between is not overwritten. */
const parametersOf = ({ id, version }: Policy) => ({ path: { id }, header: { 'If-Match': `"${version}"` } });

export const updatePolicy = (policy: Policy, body: BodyOf<'/pam/software-policies/{id}', 'patch'>) =>
  ok(api.PATCH('/pam/software-policies/{id}', { params: parametersOf(policy), body }));

export const deletePolicy = (policy: Policy) =>
  ok(api.DELETE('/pam/software-policies/{id}', { params: parametersOf(policy) }));
