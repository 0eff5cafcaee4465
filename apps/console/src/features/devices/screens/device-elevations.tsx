import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Flags, StatusBadge } from '../../../ui/elevation/badges.tsx';
import {
  grantedByColumn,
  leftColumn,
  whatColumn,
  whoColumn,
  windowActsColumn,
} from '../../../ui/elevation/lists/columns.tsx';
import { type ElevationRequest, STATUSES } from '../../../ui/elevation/request.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { requestsQuery, useDevice, windowsQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/devices/$deviceId/elevations');
/** All requests of a device, the newest first. */
export function DeviceElevations() {
  const words = useTranslations('devices');
  const statusWords = useTranslations('elevation.status');
  const { id } = useDevice();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const columns: readonly Column<ElevationRequest>[] = [
    { id: 'at', header: words('at'), cell: ({ requestedAt, siteId }) => <Instant at={requestedAt} siteId={siteId} /> },
    whatColumn({ header: words('what') }),
    whoColumn({ header: words('who') }),
    { id: 'flags', header: words('flags'), cell: ({ flags }) => flags.length > 0 && <Flags flags={flags} /> },
    { id: 'status', header: words('status'), cell: ({ status }) => <StatusBadge status={status} /> },
  ];
  return (
    <>
      <FilterBar>
        <ChoiceFilter
          name={words('status')}
          value={search.status}
          choices={STATUSES.map((value) => ({ value, label: statusWords(value) }))}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <ListView
        query={useQuery(requestsQuery(id, search))}
        rows={({ requests }) => requests}
        empty={{ title: words('noElevations'), clear: search.status && (() => change({ status: undefined })) }}
        onPage={(page) => change({ page })}
      >
        {(requests) => (
          <DataTable label={words('elevations')} columns={columns} rows={requests} idOf={(row) => row.id} />
        )}
      </ListView>
    </>
  );
}

/** The elevations of a device that are in force, with the time that is left. */
export function DeviceWindows() {
  const words = useTranslations('devices');
  const { id } = useDevice();
  const columns: readonly Column<ElevationRequest>[] = [
    leftColumn({ header: words('left') }),
    whatColumn({ header: words('what') }),
    whoColumn({ header: words('who') }),
    grantedByColumn({ header: words('grantedBy') }),
    windowActsColumn({ header: words('acts') }),
  ];
  return (
    <QueryView query={useQuery(windowsQuery(id))}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyView title={words('noWindows')} text={words('noWindowsText')} />
        ) : (
          <>
            <DataTable label={words('tabs.active')} columns={columns} rows={rows} idOf={(row) => row.id} />
            <Text size="xs" c="dimmed">
              {words('windowsNote')}
            </Text>
          </>
        )
      }
    </QueryView>
  );
}
