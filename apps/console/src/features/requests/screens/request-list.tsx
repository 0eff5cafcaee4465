import '../words.ts';
import '../../../ui/elevation/words.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../../api/client.ts';
import { useCan } from '../../../api/me.ts';
import { Flags, StatusBadge } from '../../../ui/elevation/badges.tsx';
import { type Origin, useOrigin, useReturn } from '../../../ui/elevation/lists/origin.ts';
import { type ElevationRequest, FLOWS, requestPageQuery, STATUSES, subjectOf } from '../../../ui/elevation/request.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { DateField } from '../../../ui/forms/inputs.tsx';
import { Page } from '../../../ui/page.tsx';
import { dayOf, endOfDay, startOfDay } from '../../../ui/text/days.ts';
import { Place } from '../../../ui/text/facts.tsx';
import { fileNameOf, SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { isOpenOnly, type OUTCOMES, type SHARED, sortOf, type SORTS, SOURCES } from '../model.ts';

const PAGE_LENGTH = 50;

interface RequestFilter {
  readonly org?: string;
  readonly site?: string;
  readonly status?: readonly (typeof STATUSES)[number][];
  readonly flow?: (typeof FLOWS)[number];
  readonly source?: (typeof SOURCES)[number];
  readonly device?: string;
  readonly rule?: string;
  /** The request whose earlier ones are shown, what they share with it and what became of them. */
  readonly earlier?: string;
  readonly shared?: (typeof SHARED)[number];
  readonly outcome?: (typeof OUTCOMES)[number];
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  readonly sort?: (typeof SORTS)[number];
  readonly page?: number;
}

/** A page of the history of requests. */
const requestsQuery = (filter: RequestFilter) => {
  const { org, site, status, flow, source, device, rule, earlier, shared, outcome, from, to, q, page } = filter;
  return requestPageQuery('requests', {
    limit: PAGE_LENGTH,
    page: page ?? 1,
    orgId: org,
    siteId: site,
    status: status && [...status],
    flowType: flow,
    decisionSource: source,
    deviceId: device,
    ruleId: rule,
    ...(earlier && shared && { earlierThan: earlier, shared, outcome }),
    from,
    to,
    search: q,
    sort: sortOf(filter),
  });
};

/** Loaded when it opens. */
const AskDialog = lazyPart(async () => ({ default: (await import('../parts/ask-dialog.tsx')).AskDialog }));
const route = getRouteApi('/requests');

/** @param isOpen whether all requests are open */
function useColumns(origin: Origin, isOpen: boolean): readonly Column<ElevationRequest>[] {
  const words = useTranslations('requests');
  const sourceWords = useTranslations('elevation.source');
  const flowWords = useTranslations('elevation.flow');
  return [
    {
      id: 'time',
      header: words('time'),
      sort: 'requestedAt',
      cell: ({ requestedAt, siteId }) => <Instant at={requestedAt} siteId={siteId} />,
    },
    {
      id: 'what',
      header: words('what'),
      wide: true,
      cell: (row) => (
        <Stack gap={4} align="flex-start">
          <Link to="/requests/$requestId" params={{ requestId: row.id }} state={origin} data-open>
            <SafeText value={fileNameOf(subjectOf(row)) || flowWords(row.flowType)} most={48} />
          </Link>
          <Flags flags={row.flags} />
        </Stack>
      ),
    },
    {
      id: 'where',
      header: words('where'),
      ...(isOpen && { sort: 'deviceHostname' }),
      cell: (row) => <Place names={[row.orgName, row.siteName, row.deviceHostname]} />,
    },
    {
      id: 'who',
      header: words('who'),
      ...(isOpen && { sort: 'subjectUsername' }),
      cell: (row) => <SafeText value={row.subjectUsername ?? row.requestedByName ?? ''} most={40} />,
    },
    { id: 'status', header: words('status'), cell: (row) => <StatusBadge status={row.status} /> },
    {
      id: 'source',
      header: words('decidedBy'),
      // What would have granted a request that waits has not decided it.
      cell: (row) =>
        row.status !== 'pending' &&
        (row.approvedByName ??
          row.deniedByName ??
          row.pamRuleName ??
          row.matchedPolicyName ??
          (row.decisionSource && sourceWords(row.decisionSource))),
    },
  ];
}

/** Says that the list is that of one device, one rule or what came before a request, which links elsewhere lead to. */
function Narrowed() {
  const words = useTranslations('requests');
  const { device, rule, earlier, shared, outcome, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  if (device === undefined && rule === undefined && earlier === undefined) return null;
  return (
    <Group gap="xs">
      {device && <Text size="sm">{words('ofDevice')}</Text>}
      {rule && <Text size="sm">{words('ofRule')}</Text>}
      {earlier && shared && (
        <Text size="sm">
          {words('earlier', {
            shared: words(`before.${shared}`),
            outcome: outcome ? words(`outcomes.${outcome}`) : 'all',
          })}
        </Text>
      )}
      <Button size="xs" variant="default" onClick={() => void navigate({ search: { ...search, page: undefined } })}>
        {words('widen')}
      </Button>
    </Group>
  );
}

function Filters() {
  const words = useTranslations('requests');
  const elevationWords = useTranslations('elevation');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <FilterBar>
      <SearchFilter value={search.q} onChange={(q) => change({ q })} />
      <ChoiceFilter
        name={words('status')}
        value={search.status?.[0]}
        choices={STATUSES.map((value) => ({ value, label: elevationWords(`status.${value}`) }))}
        onChange={(status) => change({ status: status && [status] })}
      />
      <ChoiceFilter
        name={words('kind')}
        value={search.flow}
        choices={FLOWS.map((value) => ({ value, label: elevationWords(`flow.${value}`) }))}
        onChange={(flow) => change({ flow })}
      />
      <ChoiceFilter
        name={words('source')}
        value={search.source}
        choices={SOURCES.map((value) => ({ value, label: elevationWords(`source.${value}`) }))}
        onChange={(source) => change({ source })}
      />
      <Group gap="xs" align="flex-start" className="gh-period">
        {(['from', 'to'] as const).map((end) => (
          <DateField
            key={end}
            aria-label={words(end)}
            leftSection={<Text size="xs">{words(`${end}Short`)}</Text>}
            leftSectionWidth={48}
            w={200}
            value={dayOf(search[end])}
            onChange={(day) => change({ [end]: end === 'from' ? startOfDay(day) : endOfDay(day) })}
          />
        ))}
      </Group>
    </FilterBar>
  );
}

function AskButton() {
  const words = useTranslations('requests.ask');
  const [asking, dialog] = useDisclosure(false);
  const devices = useQuery(getQuery('devices', '/devices', { query: { limit: 1 } })).data?.data;
  if (!useCan()('POST /pam/elevation-requests') || !devices?.length) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {words('open')}
      </Button>
      <Suspense fallback={null}>{asking && <AskDialog onClose={dialog.close} />}</Suspense>
    </>
  );
}

interface RowsProps {
  readonly requests: readonly ElevationRequest[];
  readonly origin: Origin;
}

function Rows({ requests, origin }: RowsProps) {
  const words = useTranslations('requests');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DataTable
      label={words('title')}
      columns={useColumns(origin, isOpenOnly(search))}
      rows={requests}
      idOf={({ id }) => id}
      sort={sortOf(search) ?? '-requestedAt'}
      onSort={(next) => void navigate({ search: { ...search, sort: next as (typeof SORTS)[number] } })}
    />
  );
}

/** The history of requests, with every filter in the address. */
export function RequestList() {
  const words = useTranslations('requests');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const question = requestsQuery(search);
  const origin = useOrigin(question);
  const query = useQuery({ ...question, placeholderData: keepPreviousData });
  useReturn();
  const { org, site, sort, page: _page, ...filters } = search;
  const clear = () => void navigate({ search: { org, site, sort } });
  return (
    <Page title={words('title')} actions={<AskButton />}>
      <Filters />
      <Narrowed />
      <ListView
        query={query}
        rows={({ requests }) => requests}
        empty={{
          title: words('none'),
          text: words('noneText'),
          clear: Object.keys(filters).length > 0 ? clear : undefined,
        }}
        onPage={(page) => void navigate({ search: { ...search, page } })}
        held={{ of: 'requests', question: JSON.stringify([search, query.isPlaceholderData]) }}
      >
        {(requests) => <Rows {...{ requests, origin }} />}
      </ListView>
    </Page>
  );
}
