import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/elevation/badges.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type ChangedRequest, Turn } from '../effect/changes.tsx';
import { OUTCOMES } from './candidate.ts';
import { replayChangesQuery } from './queries.ts';
import '../../../ui/elevation/words.ts';

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
      <ListView
        query={useQuery(replayChangesQuery({ orgId, id: replayId, from, to, page }))}
        rows={({ changes }) => changes.map((one) => ({ ...one, id: one.requestId }))}
        empty={{ title: words('noChange'), clear }}
        onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
      >
        {(changes) => (
          <DataTable label={words('changed')} columns={columns} rows={changes} idOf={({ requestId }) => requestId} />
        )}
      </ListView>
    </Stack>
  );
}
