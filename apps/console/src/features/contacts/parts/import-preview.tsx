import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ANNOTATIONS, countsOf, type Previewed } from '../model.ts';
import type { ImportRun } from '../use-import.ts';

const MOST_ROWS = 100;
const COLORS = { create: 'green', conflict: 'red', 'org-not-found': 'red' } as const;
const colorOf = (annotation: Previewed['shown']['annotation']): string =>
  annotation in COLORS ? COLORS[annotation as keyof typeof COLORS] : 'blue';

interface NumberedRow extends Previewed {
  readonly line: number;
}

function Outcome({ shown: { annotation, conflictReason } }: Previewed) {
  const words = useTranslations('contacts');
  const conflict = `conflicts.${conflictReason ?? ''}` as 'conflicts.conflict';
  return (
    <Group gap="xs">
      <Badge size="sm" variant="light" tt="none" className="gh-status" color={colorOf(annotation)}>
        {words(`annotations.${annotation}`)}
      </Badge>
      {conflictReason && (
        <Text span size="sm">
          {words.has(conflict) ? words(conflict) : conflictReason}
        </Text>
      )}
    </Group>
  );
}

function useColumns(): readonly Column<NumberedRow>[] {
  const words = useTranslations('contacts');
  const importWords = useTranslations('import');
  return [
    { id: 'line', header: importWords('row'), cell: ({ line }) => line },
    { id: 'name', header: words('name'), cell: ({ row }) => row.name },
    { id: 'email', header: words('email'), cell: ({ row }) => row.email },
    { id: 'phone', header: words('phone'), cell: ({ row }) => row.phone ?? row.mobile },
    { id: 'site', header: words('site'), cell: ({ row }) => row.site },
    { id: 'outcome', header: importWords('outcome'), cell: (row) => <Outcome {...row} /> },
  ];
}

function Counts({ rows }: { readonly rows: readonly Previewed[] }) {
  const words = useTranslations('contacts');
  const counts = countsOf(rows);
  return (
    <Group gap="xs">
      {ANNOTATIONS.filter((annotation) => counts.has(annotation)).map((annotation) => (
        <Badge key={annotation} size="lg" variant="light" tt="none" className="gh-status" color={colorOf(annotation)}>
          {words(`annotations.${annotation}`)}: {counts.get(annotation)}
        </Badge>
      ))}
    </Group>
  );
}

interface ImportPreviewProps {
  readonly rows: readonly Previewed[];
  readonly run: ImportRun;
}

/** What an import will do with each row; the rows that need attention come first. */
export function ImportPreview({ rows, run: { importing, restart } }: ImportPreviewProps) {
  const words = useTranslations('contacts');
  const importWords = useTranslations('import');
  const order = (row: Previewed) => ANNOTATIONS.indexOf(row.shown.annotation);
  const numbered = rows.map((row, index) => ({ ...row, line: index + 2 }));
  const first = numbered.toSorted((one, other) => order(one) - order(other)).slice(0, MOST_ROWS);
  return (
    <Stack>
      <Title order={2}>{importWords('previewTitle')}</Title>
      <Counts rows={rows} />
      <DataTable
        label={importWords('previewTitle')}
        columns={useColumns()}
        rows={first}
        idOf={({ line }) => String(line)}
      />
      {rows.length > MOST_ROWS && (
        <Text size="sm" c="dimmed">
          {words('showing', { count: MOST_ROWS })}
        </Text>
      )}
      {importing.isError && <Alert color="orange">{importWords('stopped')}</Alert>}
      <Refusal error={importing.error} />
      <Group gap="xs">
        <Button variant="default" disabled={importing.isPending} onClick={restart}>
          {importWords('back')}
        </Button>
        <Button loading={importing.isPending} onClick={() => importing.mutate(rows)}>
          {importWords('import', { count: rows.length })}
        </Button>
      </Group>
    </Stack>
  );
}
