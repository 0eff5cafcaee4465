import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { Page } from '../../../ui/page.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { COLORS } from '../colors.ts';
import { type Device, devicesQuery, STATES } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/devices');
const NAME_LENGTH = 60;

function useColumns(): readonly Column<Device>[] {
  const words = useTranslations('devices');
  const uiWords = useTranslations('ui');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: (device) => (
        <Link to="/devices/$deviceId" params={{ deviceId: device.id }} data-open>
          <SafeText value={device.displayName ?? device.hostname} most={NAME_LENGTH} />
        </Link>
      ),
    },
    {
      id: 'system',
      header: words('system'),
      cell: ({ osType, osVersion }) => [osType, osVersion].filter(Boolean).join(' '),
    },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status }) => (
        <Badge size="sm" variant="light" tt="none" color={COLORS[status]} className="gh-status">
          {words(`states.${status}`)}
        </Badge>
      ),
    },
    {
      id: 'seen',
      header: words('seen'),
      cell: ({ lastSeenAt }) => (lastSeenAt ? <Instant at={lastSeenAt} /> : uiWords('never')),
    },
    { id: 'agent', header: words('agent'), cell: ({ agentVersion }) => agentVersion },
  ];
}

/** The devices of the chosen place. */
export function DeviceList() {
  const words = useTranslations('devices');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const { org, site, ...filters } = search;
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const clear = Object.keys(filters).length > 0 ? () => void navigate({ search: { org, site } }) : undefined;
  return (
    <Page title={words('title')}>
      <FilterBar>
        <SearchFilter value={search.q} onChange={(q) => change({ q })} />
        <ChoiceFilter
          name={words('status')}
          value={search.status}
          choices={STATES.map((value) => ({ value, label: words(`states.${value}`) }))}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <QueryView query={useQuery(devicesQuery(search))}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} clear={clear} />
          ) : (
            <>
              <DataTable label={words('title')} columns={columns} rows={data} idOf={({ id }) => id} />
              <Pager pagination={pagination} onPage={(page) => change({ page })} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
