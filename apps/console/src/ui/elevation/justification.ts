import type { DataOf } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { getQuery } from '../../api/client.ts';
import { useCan } from '../../api/me.ts';
import { problemOf, wordsFor } from '../../api/problem.ts';
import { useTranslations } from 'use-intl';
import { configQuery, type Decision, type ElevationRequest, isAboutTicket } from './request.ts';
import './words.ts';

export type JustificationPolicy = DataOf<'/pam/justification-policy', 'get'>['justificationPolicy'];

export const justificationPolicyQuery = (orgId: string) =>
  getQuery('capture', '/pam/justification-policy', {
    query: { orgId },
    select: ({ justificationPolicy }) => justificationPolicy,
  });

function usePolicyOf(orgId: string | null) {
  const mayRead = useCan()('GET /pam/justification-policy');
  return useQuery({ ...justificationPolicyQuery(orgId ?? ''), enabled: mayRead && orgId !== null });
}

function useConfigOf(orgId: string | null) {
  const mayRead = useCan()('GET /pam/config');
  return useQuery({ ...configQuery(orgId ?? ''), enabled: mayRead && orgId !== null });
}

/** What the organisation asks for as a reason and a ticket; undefined until it is known. */
export function useJustificationPolicy(orgId: string | null): JustificationPolicy | undefined {
  return usePolicyOf(orgId).data;
}

/** How an organisation decides; undefined until it is known, and for those who may not read it. */
export function useOrgConfig(orgId: string | null) {
  return useConfigOf(orgId).data;
}

/**
 * Opens the dialog of a decision once all that it asks is known: what appeared later would move the button that is
 * being pressed.
 */
export function useOpened(isWanted: boolean, orgId: string | null): boolean {
  const [config, policy] = [useConfigOf(orgId), usePolicyOf(orgId)];
  return isWanted && !config.isLoading && !policy.isLoading;
}

/** The one value of all; null where they differ. */
export const shared = <T>(values: readonly T[]): T | null => (new Set(values).size === 1 ? (values[0] ?? null) : null);

/** The reasons that the organisation keeps for a decision, and who will read the one that is given. */
export function useReasonHelp(requests: readonly ElevationRequest[], verb: Decision['decision'] | null) {
  const words = useTranslations('elevation.reasonShown');
  const config = useOrgConfig(shared(requests.map(({ orgId }) => orgId)));
  const flow = shared(requests.map(({ flowType }) => flowType));
  return {
    presets: verb === 'approve' ? config?.approveReasons : config?.denyReasons,
    note: flow ? words(flow) : undefined,
  };
}

/** What the server finds wrong with the ticket; undefined where it finds nothing. */
export const ticketFaultOf = (error: unknown): string | undefined =>
  isAboutTicket(error) ? wordsFor(error) : undefined;

/** What the organisation tells people about tickets: as a refusal says it, which may be newer than what was read. */
export function hintOf(error: unknown, policy: JustificationPolicy | undefined): string | null {
  const told = isAboutTicket(error) ? problemOf(error)?.['hint'] : undefined;
  return typeof told === 'string' ? told : (policy?.ticket.hint ?? null);
}
