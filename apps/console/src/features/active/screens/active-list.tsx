import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ReasonDialog } from '../../../ui/forms/dialogs.tsx';
import { type ElevationRequest, shortNameOf } from '../../../ui/elevation/request.ts';
import { revoke, WindowButtons } from '../../../ui/elevation/window-buttons.tsx';
import { inParallel } from '../../../api/many.ts';
import { Page } from '../../../ui/page.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Countdown } from '../../../ui/text/time.tsx';
import { activeQuery, type SORTS } from '../queries.ts';
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
      cell: (row) => [row.orgName, row.siteName, row.deviceHostname].filter(Boolean).join(' ▸ '),
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

interface RevokeManyProps {
  readonly ids: ReadonlySet<string>;
  readonly onDone: (failed: ReadonlySet<string>) => void;
}

/** Ends what is selected, with one reason; what failed stays selected. */
function RevokeMany({ ids, onDone }: RevokeManyProps) {
  const words = useTranslations('active');
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(false);
  const [saving, setSaving] = useState(false);
  const run = async (reason = '') => {
    setSaving(true);
    const outcomes = await inParallel([...ids], (id) => revoke({ id, reason }));
    setSaving(false);
    setOpened(false);
    onDone(new Set(outcomes.filter(({ error }) => error !== undefined).map(({ id }) => id)));
    void queryClient.invalidateQueries({ queryKey: ['active'] });
  };
  return (
    <Group>
      <Button size="xs" color="red" variant="light" disabled={ids.size === 0} onClick={() => setOpened(true)}>
        {words('revokeSelected', { count: ids.size })}
      </Button>
      <ReasonDialog
        title={words('revokeSelected', { count: ids.size })}
        action={words('revoke')}
        color="red"
        required
        opened={opened}
        saving={saving}
        error={null}
        onClose={() => setOpened(false)}
        onConfirm={(reason) => void run(reason)}
      />
    </Group>
  );
}

function List({ rows }: { readonly rows: readonly ElevationRequest[] }) {
  const words = useTranslations('active');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [ids, change] = useState<ReadonlySet<string>>(new Set());
  const columns = useColumns();
  const mayRevoke = useCan()('POST /pam/elevation-requests/{id}/revoke');
  const present = new Set(rows.map(({ id }) => id).filter((id) => ids.has(id)));
  return (
    <>
      <DataTable
        label={words('title')}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        sort={search.sort}
        onSort={(sort) => void navigate({ search: { ...search, sort: sort as (typeof SORTS)[number] } })}
        {...(mayRevoke && { selection: { ids: present, change } })}
      />
      {mayRevoke && <RevokeMany ids={present} onDone={change} />}
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
      <QueryView query={query}>
        {(rows) =>
          rows.length === 0 ? <EmptyView title={words('none')} text={words('noneText')} /> : <List rows={rows} />
        }
      </QueryView>
      <Text size="xs" c="dimmed">
        {words('note')}
      </Text>
    </Page>
  );
}
