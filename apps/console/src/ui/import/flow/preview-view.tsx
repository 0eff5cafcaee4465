import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../lists/data-table.tsx';
import type { ImportKind } from './kind.ts';
import { Issues } from './issues.tsx';
import { countsOf, FAULTY, type PreviewedRow, takenOf } from './model.ts';
import { type Run, UNSEEN } from './use-run.ts';

const MAX_ROWS = 100;

/** The outcomes in the order of what they ask of the reader; rows that cannot be sent come first. */
function useOutcomes<Row>({ outcomes }: ImportKind<Row>): ImportKind<Row>['outcomes'] {
  const words = useTranslations('import');
  return {
    [FAULTY]: { label: words('faulty'), color: 'red' },
    ...outcomes,
    [UNSEEN]: { label: words('unseen'), color: 'blue' },
  };
}

interface OutcomeBadgeProps {
  readonly outcome: ImportKind<unknown>['outcomes'][string] | undefined;
  readonly count?: number | undefined;
}

function OutcomeBadge({ outcome, count }: OutcomeBadgeProps) {
  const label = outcome?.label ?? '';
  return (
    <Badge size={count === undefined ? 'sm' : 'lg'} color={outcome?.color ?? 'gray'}>
      {count === undefined ? label : `${label}: ${count}`}
    </Badge>
  );
}

interface PreviewViewProps<Row> {
  readonly kind: ImportKind<Row>;
  readonly rows: readonly PreviewedRow<Row>[];
  readonly run: Run<Row>;
  readonly onBack: () => void;
}

/** The rows that need attention first. */
function Rows<Row>({ kind, rows }: Pick<PreviewViewProps<Row>, 'kind' | 'rows'>) {
  const words = useTranslations('import');
  const outcomes = useOutcomes(kind);
  const names = Object.keys(outcomes);
  const columns: readonly Column<PreviewedRow<Row>>[] = [
    { id: 'line', header: words('row'), cell: ({ line }) => line },
    ...kind.columns,
    {
      id: 'outcome',
      header: words('outcome'),
      cell: ({ outcome, fault, note }) => {
        const why = fault ?? (note && (kind.reasonOf?.(note) ?? note));
        return (
          <Group gap="xs">
            <OutcomeBadge outcome={outcomes[outcome]} />
            {why && (
              <Text span size="sm">
                {why}
              </Text>
            )}
          </Group>
        );
      },
    },
  ];
  const first = rows
    .toSorted((one, other) => names.indexOf(one.outcome) - names.indexOf(other.outcome))
    .slice(0, MAX_ROWS);
  return (
    <>
      <DataTable label={words('previewTitle')} columns={columns} rows={first} idOf={({ line }) => String(line)} />
      {rows.length > MAX_ROWS && <Text className="gh-hint">{words('showing', { count: MAX_ROWS })}</Text>}
    </>
  );
}

/** What an import will do with each row. */
export function PreviewView<Row>({ kind, rows, run: { importing, done }, onBack }: PreviewViewProps<Row>) {
  const words = useTranslations('import');
  const outcomes = useOutcomes(kind);
  const counts = countsOf(rows);
  const taken = takenOf(rows, outcomes);
  return (
    <Stack>
      <Title order={2}>{words('previewTitle')}</Title>
      <Group gap="xs">
        {Object.entries(outcomes)
          .filter(([name]) => counts.has(name))
          .map(([name, outcome]) => (
            <OutcomeBadge key={name} outcome={outcome} count={counts.get(name)} />
          ))}
      </Group>
      <Rows kind={kind} rows={rows} />
      {importing.isError && <Alert color="orange">{words('stopped')}</Alert>}
      <Issues error={importing.error} first={done} />
      <Group gap="xs">
        <Button variant="default" disabled={importing.isPending} onClick={onBack}>
          {words('back')}
        </Button>
        <Button loading={importing.isPending} disabled={taken === 0} onClick={() => importing.mutate(rows)}>
          {words(taken === rows.length ? 'import' : 'importSome', { count: taken, total: rows.length })}
        </Button>
      </Group>
    </Stack>
  );
}
