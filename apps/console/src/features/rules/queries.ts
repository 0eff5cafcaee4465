import { type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { useCan, useMe } from '../../api/me.ts';
import { codeOf } from '../../api/problem.ts';
import { useChosenPartner } from '../../ui/use-org.tsx';
import {
  bodyOf,
  type Draft,
  isComplete,
  type ListedRule,
  type NewRule,
  ownRules,
  type PartnerRule,
  type RuleChange,
  type Verdict,
} from './model.ts';
import { priorityAfter } from './order.ts';
import rulesWords from '../../words/en/rules.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ rules: rulesWords });

/** @param partner the one that an operator has chosen */
const ofPartner = (partner: string | undefined) => ({ scope: 'partner', partnerId: partner }) as const;

/** All rules that reach an organisation, in the order in which they decide: its own between those of its partner. */
export const effectiveRulesQuery = (orgId: string) =>
  getQuery('rules', '/pam/rules', {
    query: { orgId, effective: true },
    select: ({ rules }) => rules,
    placeholderData: keepPreviousData,
  });

/** The rules of one organisation in the order in which they decide. */
export const rulesQuery = (orgId: string) =>
  queryOptions({ ...effectiveRulesQuery(orgId), select: ({ rules }) => ownRules(rules) });

/** The rules of a partner: those before the rules of organisations, then those after. */
export const partnerRulesQuery = (partner: string | undefined) =>
  getQuery('rules', '/pam/rules', { query: ofPartner(partner), select: ({ rules }) => rules });

/** A rule of an organisation or of its partner. */
export const readRule = async (id: string): Promise<ListedRule> =>
  (await ok(api.GET('/pam/rules/{id}', { params: { path: { id } } }))).rule;

export const ruleQuery = (id: string) =>
  getQuery('rules', '/pam/rules/{id}', { path: { id }, select: ({ rule }) => rule });

/** The organisations in reach that have left a rule of the partner, with their reasons. */
export const optOutsQuery = (id: string) =>
  getQuery('rules', '/pam/rules/{id}/opt-outs', { path: { id }, select: ({ optOuts }) => optOuts });

/** What the linter finds wrong with the rules of an organisation. */
export const lintQuery = (orgId: string) =>
  getQuery('rules', '/pam/rules/lint', { query: { orgId }, select: ({ findings }) => findings });

export type LintFinding = DataOf<'/pam/rules/lint', 'get'>['findings'][number];

/** What a watched rule would have done. */
export const shadowReportQuery = (orgId: string, id: string, days: number) =>
  getQuery('rules', '/pam/rules/{id}/shadow-report', {
    path: { id },
    query: { orgId, days },
    select: ({ report }) => report,
    placeholderData: keepPreviousData,
  });

/** Organisations that a rule can be copied to, by name. */
export const organizationsQuery = (search: string) =>
  getQuery('organizations', '/orgs/organizations', {
    query: { limit: 50, page: 1, ...(search && { search }) },
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
  });

/** @param orgId null for the groups of the partner */
const signerGroupsQuery = (orgId: string | null, partner: string | undefined) =>
  getQuery('signer-groups', '/pam/signer-groups', {
    query: orgId === null ? ofPartner(partner) : { orgId },
    select: ({ signerGroups }) => signerGroups,
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
  // A rule that is only watched is shown as if it decided.
  const rule = { ...bodyOf(draft), mode: 'live' as const };
  const body = { orgId, rule, windowDays, ...(ruleId && { ruleId }) };
  return queryOptions({
    queryKey: ['rules', 'effect', body],
    enabled: isComplete(draft),
    queryFn: ({ signal }) => ok(api.POST('/pam/rules/simulate', { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
};

/** Three rules that fit a request, the narrowest first; without a verdict, that of the request's own outcome. */
export const proposalsQuery = (requestId: string, verdict: Verdict | undefined) =>
  getQuery('rules', '/pam/elevation-requests/{id}/rule-proposals', {
    path: { id: requestId },
    query: { verdict },
    select: ({ proposals }) => proposals,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

export type Proposal = DataOf<'/pam/elevation-requests/{id}/rule-proposals', 'get'>['proposals'][number];

const createRule = (body: NewRule) => ok(api.POST('/pam/rules', { body }));

export const createPartnerRule = (body: NewRule) => createRule({ ...body, ownerScope: 'partner' });

interface RuleId {
  readonly id: string;
  /** Null for a rule of the partner. */
  readonly orgId: string | null;
}

const whereOf = ({ id, orgId }: RuleId) => ({ path: { id }, query: orgId === null ? {} : { orgId } });

/** @param version the version that the change was made from; the server refuses it if there is a newer one */
export const updateRule = ({ id, orgId, version, ...body }: RuleChange & RuleId & { readonly version: number }) => {
  const header = { 'If-Match': `"${version}"` };
  return ok(api.PATCH('/pam/rules/{id}', { params: { ...whereOf({ id, orgId }), header }, body }));
};

export const deleteRule = (rule: RuleId) => ok(api.DELETE('/pam/rules/{id}', { params: whereOf(rule) }));

interface Leaving {
  readonly rule: PartnerRule;
  readonly orgId: string;
}

/** From now on the rule of the partner decides nothing in the organisation. */
export const leaveRule = ({ rule: { id }, orgId, reason }: Leaving & { readonly reason: string }) =>
  ok(api.PUT('/pam/rules/{id}/opt-out', { params: { path: { id } }, body: { orgId, reason } }));

export const returnToRule = ({ rule: { id }, orgId }: Leaving) =>
  ok(api.DELETE('/pam/rules/{id}/opt-out', { params: { path: { id }, query: { orgId } } }));

/** Puts the named rules into the named order, in the places that they hold together. */
export const reorderRules = async (orgId: string, ruleIds: readonly string[]) => {
  const { rules } = await ok(api.PUT('/pam/rules/order', { body: { orgId, ruleIds: [...ruleIds] } }));
  return ownRules(rules);
};

/** Where the next rule leaves no room, the rules get new priorities in the same order before the new one is made. */
export async function createPlaced({ orgId, after, ...rule }: NewRule & { orgId: string; after: string | null }) {
  const body = { ...rule, orgId };
  if (after === null) return createRule(body);
  try {
    const priority = priorityAfter(await reorderRules(orgId, [after]), after);
    return await createRule(priority === null ? body : { ...body, priority });
  } catch (error) {
    // A person who is confined to sites cannot give other rules their priorities.
    if (codeOf(error) !== 'site_access_denied') throw error;
    return createRule(body);
  }
}

interface Copying {
  readonly id: string;
  readonly orgId: string;
  readonly orgIds: readonly string[];
}

export const copyRule = async ({ id, orgId, orgIds }: Copying) => {
  const params = { path: { id }, query: { orgId } };
  return (await ok(api.POST('/pam/rules/{id}/copies', { params, body: { orgIds: [...orgIds] } }))).copies;
};

/** A change of rules, after which lists of rules are read anew. */
export function useRuleAct<Input, Result>(act: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rules'] }),
  });
}

/** Whether the caller may change what its partner gives all organisations. */
export function useMayChangePartnerRules(): boolean {
  const { partnerWidePolicyRights } = useMe();
  return useCan()('PATCH /pam/rules/{id}') && partnerWidePolicyRights;
}

/** The signer groups of an owner, where the caller may read them. @param orgId null for those of the partner */
export function useSignerGroups(orgId: string | null) {
  const { scope } = useMe();
  const partner = useChosenPartner();
  const isReadable = orgId !== null || scope === 'partner' || partner !== undefined;
  const { data: groups = [] } = useQuery({ ...signerGroupsQuery(orgId, partner), enabled: isReadable });
  return { isReadable, groups };
}
