import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { csvOf } from '../../../ui/import/csv.ts';
import { download } from '../../../ui/import/download.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import type { FailedRow, ImportOutcome } from '../model.ts';
import type { ImportRun } from '../use-import.ts';

const route = getRouteApi('/orgs/$orgId/contacts/import');
const MOST_ROWS = 100;

/** Says why a row was not imported: in our words, or in the server's where we have none. */
function useReason(): (failed: FailedRow) => string {
  const words = useTranslations('contacts');
  return ({ code, message, row: { shown } }) => {
    const key = `conflicts.${(code === 'conflict' && shown.conflictReason) || code}` as 'conflicts.conflict';
    return words.has(key) ? words(key) : message;
  };
}

interface FailedRowsProps {
  readonly header: readonly string[];
  readonly failed: readonly FailedRow[];
  readonly run: ImportRun;
}

/** The rows that were not imported: on screen, as a file, and once more through the preview. */
function FailedRows({ header, failed, run: { previewing } }: FailedRowsProps) {
  const words = useTranslations('contacts');
  const importWords = useTranslations('import');
  const reasonOf = useReason();
  const columns: readonly Column<FailedRow>[] = [
    { id: 'line', header: importWords('row'), cell: ({ line }) => line },
    { id: 'name', header: words('name'), cell: ({ row }) => row.row.name },
    { id: 'email', header: words('email'), cell: ({ row }) => row.row.email },
    { id: 'reason', header: importWords('reason'), cell: reasonOf },
  ];
  const save = () => {
    const rows = failed.map((each) => [String(each.line), ...each.row.cells, reasonOf(each)]);
    download('contacts-not-imported.csv', csvOf([importWords('row'), ...header, importWords('reason')], rows));
  };
  return (
    <>
      <Text fw={600}>{importWords('failed', { count: failed.length })}</Text>
      <DataTable
        label={importWords('failed', { count: failed.length })}
        columns={columns}
        rows={failed.slice(0, MOST_ROWS)}
        idOf={({ line }) => String(line)}
      />
      <Refusal error={previewing.error} />
      <Group gap="xs">
        <Button variant="default" onClick={save}>
          {importWords('downloadErrors')}
        </Button>
        <Button
          variant="default"
          loading={previewing.isPending}
          onClick={() => previewing.mutate(failed.map(({ row: { cells, row } }) => ({ cells, row })))}
        >
          {importWords('again')}
        </Button>
      </Group>
    </>
  );
}

interface ImportOutcomeProps {
  readonly header: readonly string[];
  readonly outcome: ImportOutcome;
  readonly run: ImportRun;
  readonly onAnother: () => void;
}

/** What an import did. */
export function ImportOutcomeView({ header, outcome, run, onAnother }: ImportOutcomeProps) {
  const words = useTranslations('contacts');
  const importWords = useTranslations('import');
  const { orgId } = route.useParams();
  const { imported, updated, skipped, failed } = outcome;
  return (
    <Stack className="gh-card">
      <Title order={2}>{importWords('done')}</Title>
      <Text role="status">{words('result', { imported, updated, skipped })}</Text>
      {failed.length > 0 && <FailedRows header={header} failed={failed} run={run} />}
      <Group gap="xs">
        <Button component={Link} to="/orgs/$orgId/contacts" params={{ orgId } as never}>
          {words('toContacts')}
        </Button>
        <Button variant="default" onClick={onAnother}>
          {importWords('another')}
        </Button>
      </Group>
    </Stack>
  );
}
