import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Column, DataTable, type Selection } from '../../../ui/lists/data-table.tsx';
import { activeQuery, type ACTIVE_SORTS } from '../../../ui/elevation/active.ts';
import { type ElevationRequest, shortNameOf } from '../../../ui/elevation/request.ts';
import { WindowButtons } from '../../../ui/elevation/window-buttons.tsx';
import { Page } from '../../../ui/page.tsx';
import { Place } from '../../../ui/text/place.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Countdown } from '../../../ui/text/time.tsx';
import { RevokeMany } from '../parts/revoke-many.tsx';
import '../words.ts';

const route = getRouteApi('/active');
const TEXT_LENGTH = 48;

function useColumns(): readonly Column<ElevationRequest>[] {
  const words = useTranslations('active');
  return [
    {
      id: 'left',
      header: words('left'),
      sort: 'expiresAt',
      cell: (row) => row.expiresAt && <Countdown until={row.expiresAt} />,
    },
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
      id: 'where',
      header: words('where'),
      sort: 'deviceHostname',
      cell: (row) => <Place names={[row.orgName, row.siteName, row.deviceHostname]} />,
    },
    {
      id: 'who',
      header: words('who'),
      sort: 'subjectUsername',
      cell: (row) => <SafeText value={row.subjectUsername ?? row.requestedByName ?? ''} most={TEXT_LENGTH} />,
    },
    {
      id: 'by',
      header: words('grantedBy'),
      cell: (row) => row.approvedByName ?? row.pamRuleName ?? row.matchedPolicyName,
    },
    { id: 'acts', header: words('acts'), bare: true, cell: (row) => <WindowButtons request={row} /> },
  ];
}

interface ListProps {
  readonly rows: readonly ElevationRequest[];
  readonly selection: Selection | undefined;
}

function List({ rows, selection }: ListProps) {
  const words = useTranslations('active');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  if (rows.length === 0) return <EmptyView title={words('none')} text={words('noneText')} />;
  return (
    <DataTable
      label={words('title')}
      columns={columns}
      rows={rows}
      idOf={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => void navigate({ search: { ...search, sort: sort as (typeof ACTIVE_SORTS)[number] } })}
      {...(selection && { selection })}
    />
  );
}

/** The list with what can be done about many of its rows. */
function Elevations({ rows }: Pick<ListProps, 'rows'>) {
  const [ids, change] = useState<ReadonlySet<string>>(new Set());
  const mayRevoke = useCan()('POST /pam/elevation-requests/{id}/revoke');
  const chosen = rows.filter(({ id }) => ids.has(id));
  const selection = { ids: new Set(chosen.map(({ id }) => id)), change };
  return (
    <>
      <List rows={rows} selection={mayRevoke ? selection : undefined} />
      {mayRevoke && <RevokeMany requests={chosen} isOffered={rows.length > 0} onDone={change} />}
    </>
  );
}

/** The elevations that are in force now, with the time that is left. */
export function ActiveList() {
  const words = useTranslations('active');
  const search = route.useSearch();
  const query = useQuery(activeQuery(search));
  return (
    <Page
      title={words('title')}
      aside={
        query.data && (
          <Badge variant="light" tt="none" className="gh-status">
            {words('count', { count: query.data.length })}
          </Badge>
        )
      }
    >
      <QueryView query={query}>{(rows) => <Elevations rows={rows} />}</QueryView>
      <Text size="xs" c="dimmed">
        {words('note')}
      </Text>
    </Page>
  );
}
