import { Badge, Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ActorName, ActSentence } from '../../../ui/audit/sentence.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyView, ErrorView, LoadingView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type AuditEntry, auditQuery, useDevice } from '../queries.ts';
import '../words.ts';

const COLORS = { success: 'green', failure: 'orange', denied: 'red' } as const;

function useColumns(): readonly Column<AuditEntry>[] {
  const words = useTranslations('devices');
  return [
    { id: 'at', header: words('at'), cell: ({ timestamp }) => <Instant at={timestamp} absolute /> },
    { id: 'who', header: words('actor'), cell: ({ actor }) => <ActorName actor={actor} /> },
    {
      id: 'what',
      header: words('action'),
      cell: (entry) => (
        <Link to="/audit/$entryId" params={{ entryId: entry.id }} data-open>
          <ActSentence entry={entry} />
        </Link>
      ),
    },
    {
      id: 'result',
      header: words('result'),
      cell: ({ result }) => <Badge color={COLORS[result]}>{words(`results.${result}`)}</Badge>,
    },
  ];
}

/** What was done to a device, and by whom. */
export function DeviceAudit() {
  const words = useTranslations('devices');
  const { id } = useDevice();
  const columns = useColumns();
  const query = useInfiniteQuery(auditQuery(id));
  if (query.isError) return <ErrorView error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <LoadingView />;
  const entries = query.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0 && !query.hasNextPage) return <EmptyView title={words('noAudit')} />;
  return (
    <>
      <DataTable label={words('tabs.audit')} columns={columns} rows={entries} idOf={(entry) => entry.id} />
      <Group>
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words('older')}
          </Button>
        )}
        <Link to="/audit" search={{ resource: id }}>
          {words('toAudit')}
        </Link>
      </Group>
    </>
  );
}
