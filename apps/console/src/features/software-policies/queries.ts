import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import softwarePoliciesWords from '../../words/en/softwarePolicies.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ softwarePolicies: softwarePoliciesWords });

export type Policy = DataOf<'/pam/software-policies', 'get'>['softwarePolicies'][number];
export type Entry = Policy['rules'][number];
export const MODES = ['allowlist', 'blocklist', 'audit'] as const;
export const CHANGES = ['software-policies'];
const PAGE_LENGTH = 50;

export const policiesQuery = (orgId: string | undefined, page = 1) =>
  getQuery('software-policies', '/pam/software-policies', {
    query: { orgId, page, limit: PAGE_LENGTH },
    placeholderData: keepPreviousData,
  });

export const policyQuery = (id: string) =>
  getQuery('software-policies', '/pam/software-policies/{id}', {
    path: { id },
    select: ({ softwarePolicy }) => softwarePolicy,
  });

/** As it is stored now. */
export const readPolicy = async (id: string): Promise<Policy> =>
  (await ok(api.GET('/pam/software-policies/{id}', { params: { path: { id } } }))).softwarePolicy;

/** Where a device is: its site and its groups. */
export const devicePlaceQuery = (id: string) => getQuery('devices', '/devices/{id}', { path: { id } });

export const createPolicy = (body: BodyOf<'/pam/software-policies', 'post'>) =>
  ok(api.POST('/pam/software-policies', { body }));

/** The version that was read goes along: a change made in between is not overwritten. */
const parametersOf = ({ id, version }: Policy) => ({ path: { id }, header: { 'If-Match': `"${version}"` } });

export const updatePolicy = (policy: Policy, body: BodyOf<'/pam/software-policies/{id}', 'patch'>) =>
  ok(api.PATCH('/pam/software-policies/{id}', { params: parametersOf(policy), body }));

export const deletePolicy = (policy: Policy) =>
  ok(api.DELETE('/pam/software-policies/{id}', { params: parametersOf(policy) }));
