import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Sheet } from '../csv.ts';
import { FileEncoding } from '../file-encoding.tsx';
import { MapColumns } from '../map-columns.tsx';
import { guessMapping, type Mapping } from '../mapping.ts';
import { SheetInput } from '../sheet-input.tsx';
import '../words.ts';
import { Issues } from './issues.tsx';
import type { ImportKind } from './kind.ts';
import { OutcomeView } from './outcome-view.tsx';
import { PreviewView } from './preview-view.tsx';
import { type Run, useRun } from './use-run.ts';

interface MapStepProps<Row> {
  readonly kind: ImportKind<Row>;
  readonly sheet: Sheet;
  readonly run: Run<Row>;
  readonly onSheet: (sheet: Sheet) => void;
  readonly onBack: () => void;
}

function MapStep<Row>({ kind: { targets, rowsOf, options }, sheet, run, onSheet, onBack }: MapStepProps<Row>) {
  const words = useTranslations('import');
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(sheet.header, targets));
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('mapTitle')}</Title>
      <Text className="gh-hint">{words('rows', { count: sheet.rows.length })}</Text>
      <FileEncoding sheet={sheet} onSheet={onSheet} />
      <MapColumns targets={targets} header={sheet.header} mapping={mapping} onChange={setMapping} />
      {options}
      <Issues error={run.previewing.error} first={run.done} />
      <Group gap="xs">
        <Button variant="default" onClick={onBack}>
          {words('back')}
        </Button>
        <Button
          loading={run.previewing.isPending}
          disabled={Object.keys(mapping).length === 0}
          onClick={() => run.previewing.mutate(rowsOf(sheet, mapping))}
        >
          {words('preview')}
        </Button>
      </Group>
    </Stack>
  );
}

function Running<Row>({ run: { done, total, previewing, importing } }: { readonly run: Run<Row> }) {
  const words = useTranslations('import');
  if (!previewing.isPending && !importing.isPending) return null;
  return (
    <Stack gap="xs" role="status">
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={words('progress', { done, total })} />
      <Text size="sm">{words('progress', { done, total })}</Text>
    </Stack>
  );
}

/** An import: a table, its columns, what will happen, what happened. */
export function ImportFlow<Row>({ kind }: { readonly kind: ImportKind<Row> }) {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const run = useRun(kind.importer);
  const restart = () => {
    run.restart();
    setSheet(null);
  };
  if (run.outcome) {
    return <OutcomeView kind={kind} header={sheet?.header ?? []} outcome={run.outcome} run={run} onAnother={restart} />;
  }
  if (run.previewed) {
    return (
      <>
        <PreviewView kind={kind} rows={run.previewed} run={run} onBack={sheet ? run.restart : restart} />
        <Running run={run} />
      </>
    );
  }
  if (!sheet) {
    return (
      <>
        <SheetInput onSheet={setSheet}>{kind.text}</SheetInput>
        {kind.otherInput?.((rows) => run.previewing.mutate(rows))}
      </>
    );
  }
  return (
    <>
      <MapStep key={sheet.file?.encoding} kind={kind} sheet={sheet} run={run} onSheet={setSheet} onBack={restart} />
      <Running run={run} />
    </>
  );
}
