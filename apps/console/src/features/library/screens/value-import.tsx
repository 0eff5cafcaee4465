import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ImportFlow } from '../../../ui/import/flow/import-flow.tsx';
import type { ImportKind } from '../../../ui/import/flow/kind.ts';
import { ModeChoice } from '../../../ui/import/mode-choice.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { VALUE, type ValueRow, valueRows } from '../imports/model.ts';
import { fieldChoicesQuery, MODES, valueImporter } from '../imports/queries.ts';
import { ImportPage } from '../parts/library-page.tsx';
import type { CustomField } from '../queries.ts';

const MAX_SHOWN = 60;
const OUTCOMES = ['not-found', 'conflict', 'unfit', 'matched', 'link-match', 'already-applied'] as const;
const COLORS = { matched: 'green', 'link-match': 'green', 'already-applied': 'gray' } as const;

const shown = (values: ValueRow['values']): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');

function useKind(fields: readonly CustomField[]): ImportKind<ValueRow> {
  const words = useTranslations('library.imports');
  const orgId = useOrg();
  const [mode, setMode] = useState<(typeof MODES)[number]>('skip');
  const keyed = new Map(fields.map((field) => [field.fieldKey, field.name]));
  return {
    importer: valueImporter(mode),
    text: words('valueText', { fields: [...keyed.values()].join(', ') }),
    targets: [
      { name: 'hostname', label: words('hostname'), aliases: ['device', 'computer', 'name', 'host'] },
      { name: 'sourceSystem', label: words('sourceSystem'), aliases: ['system', 'source'] },
      { name: 'sourceDeviceId', label: words('sourceDeviceId'), aliases: ['device id', 'id'] },
      ...[...keyed].map(([key, name]) => ({ name: `${VALUE}${key}`, label: name, aliases: [key] })),
    ],
    rowsOf: valueRows(orgId, (fault) => words(`faults.${fault}`)),
    columns: [
      {
        id: 'device',
        header: words('device'),
        cell: ({ row }) => <SafeText value={row.hostname ?? row.sourceDeviceId ?? ''} most={MAX_SHOWN} />,
      },
      {
        id: 'values',
        header: words('values'),
        cell: ({ row }) => <SafeText value={shown(row.values)} most={MAX_SHOWN} />,
      },
    ],
    outcomes: Object.fromEntries(
      OUTCOMES.map((name) => [name, { label: words(`outcomes.${name}`), color: COLORS[name as 'matched'] ?? 'red' }]),
    ),
    result: ({ applied = 0, skipped = 0 }) => words('valueResult', { applied, skipped }),
    fileName: 'values-not-imported.csv',
    back: (
      <Button component={Link} to="/devices">
        {words('toDevices')}
      </Button>
    ),
    options: (
      <ModeChoice
        label={words('mode')}
        modes={MODES}
        labelOf={(one) => words(`modes.${one}`)}
        mode={mode}
        onMode={setMode}
      />
    ),
  };
}

function Flow({ fields }: { readonly fields: readonly CustomField[] }) {
  return <ImportFlow kind={useKind(fields)} />;
}

/** Imports the values of custom fields: each row is for one device. */
export function ValueImport() {
  const words = useTranslations('library');
  const none = <EmptyView title={words('noFields')} text={words('noFieldsText')} />;
  return (
    <ImportPage title={words('imports.valueTitle')}>
      <QueryView query={useQuery(fieldChoicesQuery(useOrg()))}>
        {(fields) => (fields.length > 0 ? <Flow fields={fields} /> : none)}
      </QueryView>
    </ImportPage>
  );
}
