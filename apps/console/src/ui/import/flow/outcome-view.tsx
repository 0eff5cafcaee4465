import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../lists/data-table.tsx';
import { csvOf } from '../csv.ts';
import type { ImportKind } from './kind.ts';
import type { FailedRow, ImportOutcome, ImportRow } from './model.ts';
import type { Run } from './use-run.ts';

/** Offers a text as a file. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const MAX_ROWS = 100;

type Shown<Row> = ImportRow<Row> & { readonly reason: string };

interface FailedRowsProps<Row> {
  readonly kind: ImportKind<Row>;
  readonly header: readonly string[];
  readonly failed: readonly FailedRow<Row>[];
  readonly run: Run<Row>;
}

/** The rows that were not imported: on screen, as a file, and once more through the preview. */
function FailedRows<Row>({ kind, header, failed, run: { previewing } }: FailedRowsProps<Row>) {
  const words = useTranslations('import');
  const shown = failed.map(({ row, code, message }): Shown<Row> => {
    return { ...row, reason: kind.reasonOf?.(code, row.note) ?? message };
  });
  const columns: readonly Column<Shown<Row>>[] = [
    { id: 'line', header: words('row'), cell: ({ line }) => line },
    ...kind.columns,
    { id: 'reason', header: words('reason'), cell: ({ reason }) => reason },
  ];
  const save = () => {
    const rows = shown.map(({ line, cells, reason }) => [String(line), ...cells, reason]);
    download(kind.fileName, csvOf([words('row'), ...header, words('reason')], rows));
  };
  const title = words('failed', { count: failed.length });
  return (
    <>
      <Text fw={600}>{title}</Text>
      <DataTable label={title} columns={columns} rows={shown.slice(0, MAX_ROWS)} idOf={({ line }) => String(line)} />
      <Group gap="xs">
        {header.length > 0 && (
          <Button variant="default" onClick={save}>
            {words('downloadErrors')}
          </Button>
        )}
        <Button
          variant="default"
          loading={previewing.isPending}
          onClick={() => previewing.mutate(failed.map(({ row }) => row))}
        >
          {words('again')}
        </Button>
      </Group>
    </>
  );
}

interface OutcomeViewProps<Row> {
  readonly kind: ImportKind<Row>;
  readonly header: readonly string[];
  readonly outcome: ImportOutcome<Row>;
  readonly run: Run<Row>;
  readonly onAnother: () => void;
}

/** What an import did. */
export function OutcomeView<Row>({ kind, header, outcome, run, onAnother }: OutcomeViewProps<Row>) {
  const words = useTranslations('import');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('done')}</Title>
      <Text role="status">{kind.result(outcome.counts)}</Text>
      {outcome.failed.length > 0 && <FailedRows kind={kind} header={header} failed={outcome.failed} run={run} />}
      <Group gap="xs">
        {kind.back}
        <Button variant="default" onClick={onAnother}>
          {words('another')}
        </Button>
      </Group>
    </Stack>
  );
}
