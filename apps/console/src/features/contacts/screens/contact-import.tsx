import { Button, Group, Progress, Radio, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import type { Sheet } from '../../../ui/import/csv.ts';
import { MapColumns } from '../../../ui/import/map-columns.tsx';
import { guessMapping, type Mapping, type Target } from '../../../ui/import/mapping.ts';
import { SheetInput } from '../../../ui/import/sheet-input.tsx';
import { OrganizationScreen } from '../../../ui/place/organization-screen.tsx';
import { MODES, rowsOf } from '../model.ts';
import { ImportOutcomeView } from '../parts/import-outcome.tsx';
import { ImportPreview } from '../parts/import-preview.tsx';
import { type ImportRun, useImport } from '../use-import.ts';
import '../words.ts';

const route = getRouteApi('/orgs/$orgId/contacts/import');

function useTargets(): readonly Target[] {
  const words = useTranslations('contacts');
  return [
    { name: 'name', label: words('name'), aliases: ['full name', 'contact'] },
    { name: 'email', label: words('email'), aliases: ['mail', 'email address', 'e-mail address'] },
    { name: 'phone', label: words('phone'), aliases: ['telephone', 'business phone'] },
    { name: 'mobile', label: words('mobile'), aliases: ['mobile phone', 'cell'] },
    { name: 'title', label: words('jobTitle'), aliases: ['position'] },
    { name: 'site', label: words('site'), aliases: ['location', 'office'] },
    { name: 'roles', label: words('roles'), aliases: ['role'] },
    { name: 'notes', label: words('notes'), aliases: ['note', 'comment'] },
    { name: 'externalId', label: words('externalId'), aliases: ['id'] },
    { name: 'externalSystem', label: words('externalSystem'), aliases: ['system', 'source'] },
  ];
}

interface MapStepProps {
  readonly sheet: Sheet;
  readonly run: ImportRun;
  readonly onBack: () => void;
}

/** Says which column is what, and what becomes of contacts that exist already. */
function MapStep({ sheet, run, onBack }: MapStepProps) {
  const words = useTranslations('contacts');
  const importWords = useTranslations('import');
  const { orgId } = route.useParams();
  const targets = useTargets();
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(sheet.header, targets));
  return (
    <Stack className="gh-card">
      <Title order={2}>{importWords('mapTitle')}</Title>
      <Text size="sm" c="dimmed">
        {importWords('rows', { count: sheet.rows.length })}
      </Text>
      <MapColumns targets={targets} header={sheet.header} mapping={mapping} onChange={setMapping} />
      <Radio.Group
        label={words('mode')}
        value={run.mode}
        onChange={(mode) => run.setMode(mode as (typeof MODES)[number])}
      >
        <Group mt="xs">
          {MODES.map((mode) => (
            <Radio key={mode} value={mode} label={words(`modes.${mode}`)} />
          ))}
        </Group>
      </Radio.Group>
      <Refusal error={run.previewing.error} />
      <Group gap="xs">
        <Button variant="default" onClick={onBack}>
          {importWords('back')}
        </Button>
        <Button
          loading={run.previewing.isPending}
          disabled={Object.keys(mapping).length === 0}
          onClick={() => run.previewing.mutate(rowsOf(orgId, sheet, mapping))}
        >
          {importWords('preview')}
        </Button>
      </Group>
    </Stack>
  );
}

function Running({ run: { done, total, previewing, importing } }: { readonly run: ImportRun }) {
  const words = useTranslations('import');
  if (!previewing.isPending && !importing.isPending) return null;
  return (
    <Stack gap="xs" role="status">
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={words('progress', { done, total })} />
      <Text size="sm">{words('progress', { done, total })}</Text>
    </Stack>
  );
}

function Steps() {
  const words = useTranslations('contacts');
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const run = useImport();
  const restart = () => {
    run.restart();
    setSheet(null);
  };
  if (!sheet) return <SheetInput onSheet={setSheet}>{words('importText')}</SheetInput>;
  if (run.outcome) {
    return <ImportOutcomeView header={sheet.header} outcome={run.outcome} run={run} onAnother={restart} />;
  }
  return (
    <>
      {run.previewed ? (
        <ImportPreview rows={run.previewed} run={run} />
      ) : (
        <MapStep sheet={sheet} run={run} onBack={restart} />
      )}
      <Running run={run} />
    </>
  );
}

/** Imports contacts of an organisation: a table, its columns, what will happen, what happened. */
export function ContactImport() {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  return (
    <OrganizationScreen orgId={orgId} title={words('importTitle')}>
      {(_, frozen) => !frozen && <Steps />}
    </OrganizationScreen>
  );
}
