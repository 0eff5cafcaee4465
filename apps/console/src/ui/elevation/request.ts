import { type BodyOf, type DataOf, ok, type paths } from '@gatehouse/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { codeOf } from '../../api/problem.ts';
import { fileNameOf } from '../text/safe-text.tsx';

export type ElevationRequest = DataOf<'/pam/elevation-requests', 'get'>['requests'][number];
export type RequestDetail = DataOf<'/pam/elevation-requests/{id}', 'get'>['request'];

export const STATUSES = ['pending', 'approved', 'auto_approved', 'denied', 'expired', 'revoked', 'actuating'] as const;
export const FLOWS = ['uac_intercept', 'tech_jit_admin', 'ai_tool_action'] as const;

/** What is asked for: the file's path, or the tool and its action; empty for a technician's own rights. */
export const subjectOf = ({ toolName, action, targetExecutablePath }: ElevationRequest): string =>
  (toolName ? [toolName, action].filter(Boolean).join(' · ') : targetExecutablePath) ?? '';

/** The name of what is asked for: the file's name, the tool, or the device. */
export const shortNameOf = (request: ElevationRequest): string =>
  fileNameOf(subjectOf(request)) || request.deviceHostname;

/** A request with a flag is approved with a reason and a second press only. */
export const needsCare = ({ flags }: ElevationRequest): boolean => flags.length > 0;

/** One request with everything that is kept about it. */
export const requestQuery = (id: string) =>
  getQuery('requests', '/pam/elevation-requests/{id}', {
    path: { id },
    select: ({ request }) => request,
    staleTime: 0,
  });

export type RequestQuery = NonNullable<paths['/pam/elevation-requests']['get']['parameters']['query']>;

/** A page of a list of requests. @param feature where it belongs: it says which events make it stale */
export const requestPageQuery = (feature: string, query: RequestQuery) =>
  getQuery(feature, '/pam/elevation-requests', { query });

export type Decision = BodyOf<'/pam/elevation-requests/{id}/respond', 'post'>;

/** How long an approval lasts, and what happens to requests that no rule decides. */
export const configQuery = (orgId: string) =>
  getQuery('capture', '/pam/config', { query: { orgId }, select: ({ config }) => config });

/** Decides a request. Without minutes the server would approve for 15, whatever the organisation's default is. */
export function useRespond() {
  const queryClient = useQueryClient();
  return async ({ id, orgId, ...decision }: Decision & { id: string; orgId: string | undefined }) => {
    const needsDefault = orgId && decision.decision === 'approve' && decision.durationMinutes === undefined;
    const read = needsDefault && (await queryClient.fetchQuery(configQuery(orgId)).catch(() => undefined));
    const body = { ...decision, ...(read && { durationMinutes: read.config.defaultApprovalMinutes }) };
    return ok(api.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body }));
  };
}

const TICKET_CODES: readonly string[] = ['ticket_required', 'ticket_invalid'];

/** Whether the server asks for a ticket, or for another one. */
export const isAboutTicket = (error: unknown): boolean => TICKET_CODES.includes(codeOf(error));

/** The features whose lists show requests. */
const LISTS = ['approvals', 'requests', 'active', 'overview', 'devices'];

/** Reads the lists that show requests anew. */
export function useFreshLists(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const feature of LISTS) void queryClient.invalidateQueries({ queryKey: [feature] });
  };
}

/** An act on requests, after which the lists that show them are read anew. */
export const useRequestAct = <Input, Result>(act: (input: Input) => Promise<Result>) =>
  useMutation({ mutationFn: act, onSettled: useFreshLists() });
