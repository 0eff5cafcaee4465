import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../../api/client.ts';

export type Replay = DataOf<'/pam/replays', 'get'>['replays'][number];
export type ReplaySummary = NonNullable<Replay['summary']>;
export type Outcome = ReplaySummary['transitions'][number]['from'];

const POLL_MS = 1000;
const PAGE_LENGTH = 50;

export const isUnderWay = ({ state }: Pick<Replay, 'state'>): boolean => state === 'queued' || state === 'running';

export const replaysQuery = (orgId: string) =>
  getQuery('rules', '/pam/replays', { query: { orgId }, select: ({ replays }) => replays });

/** One replay, read again each second while it is under way. */
export const replayQuery = (orgId: string, id: string) =>
  getQuery('rules', '/pam/replays/{id}', {
    path: { id },
    query: { orgId },
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? POLL_MS : false),
  });

interface ChangesFilter {
  readonly orgId: string;
  readonly id: string;
  readonly from?: Outcome | undefined;
  readonly to?: Outcome | undefined;
  readonly page?: number | undefined;
}

/** The requests that would be decided otherwise. */
export const replayChangesQuery = ({ orgId, id, from, to, page }: ChangesFilter) => {
  const query = { orgId, from, to, page: page ?? 1, limit: PAGE_LENGTH };
  return getQuery('rules', '/pam/replays/{id}/changes', { path: { id }, query, placeholderData: keepPreviousData });
};

export const startReplay = (body: BodyOf<'/pam/replays', 'post'>) => ok(api.POST('/pam/replays', { body }));

interface ReplayId {
  readonly orgId: string;
  readonly id: string;
}

const paramsOf = ({ orgId, id }: ReplayId) => ({ path: { id }, query: { orgId } });

export const cancelReplay = (replay: ReplayId) =>
  ok(api.POST('/pam/replays/{id}/cancel', { params: paramsOf(replay) }));

/** @param acceptNewlyApproved the number of new grants that was on screen */
export const applyReplay = ({ acceptNewlyApproved, ...replay }: ReplayId & { readonly acceptNewlyApproved: number }) =>
  ok(api.POST('/pam/replays/{id}/apply', { params: paramsOf(replay), body: { acceptNewlyApproved } }));
