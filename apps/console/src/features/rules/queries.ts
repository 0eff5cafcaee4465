import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { bodyOf, type Draft, isComplete, type NewRule, type RuleChange } from './model.ts';

/** The rules of one organisation in the order in which they decide. */
export const rulesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['rules', 'list', orgId],
    queryFn: async ({ signal }) => (await ok(api.GET('/pam/rules', { params: { query: { orgId } }, signal }))).rules,
    placeholderData: keepPreviousData,
  });

export const signerGroupsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['signer-groups', 'list', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/signer-groups', { params: { query: { orgId } }, signal }))).signerGroups,
  });

export const sitesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sites', 'of', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/orgs/sites', { params: { query: { orgId, limit: 100 } }, signal }))).data,
  });

export const toolsQuery = queryOptions({
  queryKey: ['rules', 'tools'],
  queryFn: async ({ signal }) => (await ok(api.GET('/pam/tools', { signal }))).tools,
});

export type Effect = DataOf<'/pam/rules/simulate', 'post'>;

interface EffectInput {
  readonly orgId: string;
  readonly ruleId: string | undefined;
  readonly draft: Draft;
  readonly windowDays: number;
}

/** The whole chain of decision replayed over past requests, with the draft and without it. */
export const effectQuery = ({ orgId, ruleId, draft, windowDays }: EffectInput) => {
  const body = { orgId, rule: bodyOf(draft), windowDays, ...(ruleId && { ruleId }) };
  return queryOptions({
    queryKey: ['rules', 'effect', body],
    enabled: isComplete(draft),
    queryFn: ({ signal }) => ok(api.POST('/pam/rules/simulate', { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
};

export const createRule = (body: NewRule) => ok(api.POST('/pam/rules', { body }));

export const updateRule = ({ id, orgId, ...body }: RuleChange & { readonly id: string; readonly orgId: string }) =>
  ok(api.PATCH('/pam/rules/{id}', { params: { path: { id }, query: { orgId } }, body }));

export const deleteRule = ({ id, orgId }: { readonly id: string; readonly orgId: string }) =>
  ok(api.DELETE('/pam/rules/{id}', { params: { path: { id }, query: { orgId } } }));

/** A change of rules, after which lists of rules are read anew. */
export function useRuleAct<Input, Result>(act: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rules'] }),
  });
}
