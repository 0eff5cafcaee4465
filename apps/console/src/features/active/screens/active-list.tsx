import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Column, DataTable, type Selection } from '../../../ui/lists/data-table.tsx';
import { useHeldRows } from '../../../ui/lists/held-rows.tsx';
import { Arrived } from '../../../ui/lists/filter-bar.tsx';
import { activeQuery, type ACTIVE_SORTS } from '../../../ui/elevation/active.ts';
import {
  grantedByColumn,
  leftColumn,
  whatColumn,
  whoColumn,
  windowActsColumn,
} from '../../../ui/elevation/lists/columns.tsx';
import type { ElevationRequest } from '../../../ui/elevation/request.ts';
import { Page } from '../../../ui/page.tsx';
import { Place } from '../../../ui/text/facts.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { RevokeMany } from '../parts/revoke-many.tsx';
import activeWords from '../../../words/en/active.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ active: activeWords });

const route = getRouteApi('/active');

function useColumns(): readonly Column<ElevationRequest>[] {
  const words = useTranslations('active');
  return [
    leftColumn({ header: words('left'), sort: 'expiresAt' }),
    whatColumn({ header: words('what') }),
    {
      id: 'where',
      header: words('where'),
      sort: 'deviceHostname',
      cell: (row) => <Place names={[row.orgName, row.siteName, row.deviceHostname]} />,
    },
    whoColumn({ header: words('who'), sort: 'subjectUsername' }),
    grantedByColumn({ header: words('grantedBy') }),
    windowActsColumn({ header: words('acts') }),
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
  const words = useTranslations('active');
  const { org, sort } = route.useSearch();
  const held = useHeldRows(rows, JSON.stringify([org, sort]));
  const chosen = held.rows.filter(({ id }) => ids.has(id));
  const selection = { ids: new Set(chosen.map(({ id }) => id)), change };
  return (
    <>
      <Arrived text={words('arrived', { count: held.arrived })} count={held.arrived} show={held.show} />
      <List rows={held.rows} selection={mayRevoke ? selection : undefined} />
      {held.rows.length > 0 && (
        <Text size="xs" c="dimmed">
          {words('note')}
        </Text>
      )}
      {mayRevoke && <RevokeMany requests={chosen} onDone={change} />}
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
      aside={query.data && <Badge size="md">{words('count', { count: query.data.length })}</Badge>}
    >
      <QueryView query={query}>{(rows) => <Elevations rows={rows} />}</QueryView>
    </Page>
  );
}
