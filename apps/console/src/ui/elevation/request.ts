import { type BodyOf, type DataOf, ok, type paths } from '@gatehouse/client';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
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
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/elevation-requests/{id}', { params: { path: { id } }, signal }))).request,
    staleTime: 0,
  });

export type RequestQuery = NonNullable<paths['/pam/elevation-requests']['get']['parameters']['query']>;

/** A page of a list of requests. @param key where it belongs: the feature says which events make it stale */
export const requestPageQuery = (key: readonly [feature: string, list: string], query: RequestQuery) =>
  queryOptions({
    queryKey: [key[0], key[1], query] as const,
    queryFn: ({ signal }) => ok(api.GET('/pam/elevation-requests', { params: { query }, signal })),
  });

export type Decision = BodyOf<'/pam/elevation-requests/{id}/respond', 'post'>;

export const respond = ({ id, ...body }: Decision & { readonly id: string }) =>
  ok(api.POST('/pam/elevation-requests/{id}/respond', { params: { path: { id } }, body }));

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
