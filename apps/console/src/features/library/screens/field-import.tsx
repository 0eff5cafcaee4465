import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ImportFlow } from '../../../ui/import/flow/import-flow.tsx';
import type { ImportKind } from '../../../ui/import/flow/kind.ts';
import { useOrg } from '../../../ui/use-org.tsx';
import { fieldRows, type FieldRow } from '../imports/model.ts';
import { fieldImporter } from '../imports/queries.ts';
import { ImportPage, OwnerChoice, useOwners } from '../parts/library-page.tsx';

function useKind(): ImportKind<FieldRow> {
  const words = useTranslations('library');
  const importWords = useTranslations('library.imports');
  const orgId = useOrg();
  const [owner, setOwner] = useState(useOwners()[0] ?? 'partner');
  const place = owner === 'organization' ? { ownerScope: owner, orgId } : { ownerScope: owner };
  return {
    importer: fieldImporter,
    text: importWords('fieldText'),
    targets: [
      { name: 'name', label: words('name'), aliases: ['field', 'label', 'field name'] },
      { name: 'fieldKey', label: words('key'), aliases: ['field key', 'id'] },
      { name: 'type', label: words('type'), aliases: ['type', 'kind', 'data type'] },
      { name: 'options', label: words('choices'), aliases: ['options', 'values'] },
    ],
    rowsOf: fieldRows(place as Parameters<typeof fieldRows>[0], (fault) => importWords(`faults.${fault}`)),
    columns: [
      { id: 'name', header: words('name'), cell: ({ row }) => row.name },
      { id: 'type', header: words('type'), cell: ({ row }) => words(`types.${row.type}`) },
      { id: 'choices', header: words('choices'), cell: ({ row }) => row.options?.join(', ') },
    ],
    outcomes: {
      conflict: { label: importWords('conflict'), color: 'red' },
      create: { label: importWords('create'), color: 'green' },
      update: { label: importWords('update'), color: 'blue' },
      exists: { label: importWords('exists'), color: 'gray' },
    },
    result: ({ created = 0, updated = 0, skipped = 0 }) => importWords('fieldResult', { created, updated, skipped }),
    reasonOf: (code) => (code === 'conflict' ? importWords('fieldConflict') : undefined),
    fileName: 'custom-fields-not-imported.csv',
    back: (
      <Button component={Link} to="/library/custom-fields">
        {importWords('toFields')}
      </Button>
    ),
    options: <OwnerChoice value={owner} onChange={setOwner} />,
  };
}

const Flow = () => <ImportFlow kind={useKind()} />;

/** Imports the definitions of custom fields. */
export function FieldImport() {
  const words = useTranslations('library.imports');
  return (
    <ImportPage title={words('fieldTitle')}>
      <Flow />
    </ImportPage>
  );
}
