import '../../../ui/elevation/words.ts';
import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { Stack, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { StatusBadge } from '../../../ui/elevation/badges.tsx';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type ChangedRequest, Turn } from '../effect/changes.tsx';

export type Replay = DataOf<'/pam/replays', 'get'>['replays'][number];
export type ReplaySummary = NonNullable<Replay['summary']>;
export type Outcome = ReplaySummary['transitions'][number]['from'];

const POLL_MS = 1000;
const PAGE_LENGTH = 50;

export const isUnderWay = ({ state }: Pick<Replay, 'state'>): boolean => state === 'queued' || state === 'running';

export const replaysQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['rules', 'replays', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/pam/replays', { params: { query: { orgId } }, signal }))).replays,
  });

/** One replay, read again each second while it is under way. */
export const replayQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: ['rules', 'replay', id],
    queryFn: ({ signal }) => ok(api.GET('/pam/replays/{id}', { params: { path: { id }, query: { orgId } }, signal })),
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
  return queryOptions({
    queryKey: ['rules', 'replay-changes', id, query],
    queryFn: ({ signal }) => ok(api.GET('/pam/replays/{id}/changes', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
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

/** What becomes of a request. */
export const OUTCOMES: readonly Outcome[] = ['auto_approved', 'pending', 'denied', 'ignored'];

const route = getRouteApi('/orgs/$orgId/replays/$replayId');
const NAME_LENGTH = 40;

function useColumns(): readonly Column<ChangedRequest>[] {
  const words = useTranslations('rules.replays');
  const flowWords = useTranslations('elevation.flow');
  return [
    {
      id: 'time',
      header: words('time'),
      cell: ({ requestId, requestedAt }) => (
        <Link to="/requests/$requestId" params={{ requestId }} data-open>
          <Instant at={requestedAt} />
        </Link>
      ),
    },
    {
      id: 'device',
      header: words('device'),
      cell: ({ deviceHostname }) => <SafeText value={deviceHostname} most={NAME_LENGTH} />,
    },
    { id: 'flow', header: words('flow'), cell: ({ flowType }) => flowWords(flowType) },
    { id: 'turn', header: words('turn'), cell: (request) => <Turn request={request} /> },
    { id: 'recorded', header: words('recorded'), cell: ({ recorded }) => <StatusBadge status={recorded.status} /> },
  ];
}

/** The requests that would be decided otherwise, page by page. */
export function ReplayChanges() {
  const words = useTranslations('rules.replays');
  const outcomeWords = useTranslations('rules.effect.outcome');
  const { orgId, replayId } = route.useParams();
  const { from, to, page } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const change = (next: { from?: typeof from; to?: typeof to }) =>
    void navigate({ search: ({ page: _, ...search }) => ({ ...search, ...next }) });
  const choices = OUTCOMES.map((value) => ({ value, label: outcomeWords(value) }));
  const clear = from || to ? () => change({ from: undefined, to: undefined }) : undefined;
  return (
    <Stack gap="xs">
      <Title order={2}>{words('changed')}</Title>
      <FilterBar>
        <ChoiceFilter name={words('from')} value={from} choices={choices} onChange={(next) => change({ from: next })} />
        <ChoiceFilter name={words('to')} value={to} choices={choices} onChange={(next) => change({ to: next })} />
      </FilterBar>
      <QueryView query={useQuery(replayChangesQuery({ orgId, id: replayId, from, to, page }))}>
        {({ changes, pagination }) =>
          changes.length === 0 ? (
            <EmptyView title={words('noChange')} clear={clear} />
          ) : (
            <>
              <DataTable
                label={words('changed')}
                columns={columns}
                rows={changes}
                idOf={({ requestId }) => requestId}
              />
              <Pager
                pagination={pagination}
                onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
              />
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}
