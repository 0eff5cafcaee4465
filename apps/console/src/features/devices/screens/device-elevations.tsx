import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Flags, StatusBadge } from '../../../ui/elevation/badges.tsx';
import { type ElevationRequest, shortNameOf, STATUSES } from '../../../ui/elevation/request.ts';
import { WindowButtons } from '../../../ui/elevation/window-buttons.tsx';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Countdown, Instant } from '../../../ui/text/time.tsx';
import { requestsQuery, windowsQuery } from '../queries.ts';
import { useDevice } from '../use-device.ts';
import '../words.ts';

const route = getRouteApi('/devices/$deviceId/elevations');
const TEXT_LENGTH = 48;

function useRequestColumns(): readonly Column<ElevationRequest>[] {
  const words = useTranslations('devices');
  return [
    {
      id: 'what',
      header: words('what'),
      cell: (row) => (
        <Link to="/requests/$requestId" params={{ requestId: row.id }} data-open>
          <SafeText value={shortNameOf(row)} most={TEXT_LENGTH} />
        </Link>
      ),
    },
    {
      id: 'who',
      header: words('who'),
      cell: (row) => <SafeText value={row.subjectUsername ?? row.requestedByName ?? ''} most={TEXT_LENGTH} />,
    },
  ];
}

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
    { id: 'at', header: words('at'), cell: ({ requestedAt }) => <Instant at={requestedAt} /> },
    ...useRequestColumns(),
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
      <QueryView query={useQuery(requestsQuery(id, search))}>
        {({ requests, pagination }) =>
          requests.length === 0 ? (
            <EmptyView title={words('noElevations')} clear={search.status && (() => change({ status: undefined }))} />
          ) : (
            <>
              <DataTable label={words('elevations')} columns={columns} rows={requests} idOf={(row) => row.id} />
              <Pager pagination={pagination} onPage={(page) => change({ page })} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

/** The elevations of a device that are in force, with the time that is left. */
export function DeviceWindows() {
  const words = useTranslations('devices');
  const { id } = useDevice();
  const columns: readonly Column<ElevationRequest>[] = [
    { id: 'left', header: words('left'), cell: (row) => row.expiresAt && <Countdown until={row.expiresAt} /> },
    ...useRequestColumns(),
    {
      id: 'by',
      header: words('grantedBy'),
      cell: (row) => row.approvedByName ?? row.pamRuleName ?? row.matchedPolicyName,
    },
    { id: 'acts', header: words('acts'), bare: true, cell: (row) => <WindowButtons request={row} /> },
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
