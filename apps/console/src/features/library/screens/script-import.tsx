import { Button, FileButton, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { textOf } from '../../../ui/import/encoding.ts';
import { ImportFlow } from '../../../ui/import/flow/import-flow.tsx';
import type { ImportKind } from '../../../ui/import/flow/kind.ts';
import type { ImportRow } from '../../../ui/import/flow/model.ts';
import { plainName } from '../../../ui/text/safe-text.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { scriptFiles, type ScriptRow, scriptRows } from '../imports/model.ts';
import { scriptImporter } from '../imports/queries.ts';
import { ImportPage, OwnerChoice, useOwners } from '../parts/library-page.tsx';

const ACCEPTED = '.ps1,.sh,.bash,.py,.bat,.cmd,.rb,.js,.vbs';

interface FilesProps {
  readonly rowsOf: (files: readonly { name: string; text: string }[]) => readonly ImportRow<ScriptRow>[];
  readonly onRows: (rows: readonly ImportRow<ScriptRow>[]) => void;
  readonly owner: React.ReactNode;
}

/** Takes scripts as the files that they are. */
function Files({ rowsOf, onRows, owner }: FilesProps) {
  const words = useTranslations('library.imports');
  const read = async (files: File[]) => {
    const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await textOf(file) })));
    if (texts.length > 0) onRows(rowsOf(texts));
  };
  return (
    <Group className="gh-card" gap="md">
      <Text size="sm">{words('filesText')}</Text>
      {owner}
      <FileButton multiple accept={ACCEPTED} onChange={(files) => void read(files)}>
        {(props) => (
          <Button variant="default" {...props}>
            {words('files')}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

function useKind(): ImportKind<ScriptRow> {
  const words = useTranslations('library');
  const importWords = useTranslations('library.imports');
  const orgId = useOrg();
  const [owner, setOwner] = useState(useOwners()[0] ?? 'partner');
  const place = (owner === 'organization' ? { availability: owner, orgId } : { availability: owner }) as Parameters<
    typeof scriptRows
  >[0];
  const faultWords: Parameters<typeof scriptRows>[1] = (fault, { language = '' }) =>
    importWords(`faults.${fault}`, { language: plainName(language) });
  const choice = <OwnerChoice value={owner} onChange={setOwner} />;
  return {
    importer: scriptImporter,
    text: importWords('scriptText'),
    targets: [
      { name: 'name', label: words('name'), aliases: ['script', 'title'] },
      { name: 'content', label: words('content'), aliases: ['content', 'body', 'code', 'text'] },
      { name: 'description', label: words('description') },
      { name: 'category', label: words('category') },
      { name: 'language', label: words('language') },
      { name: 'runAs', label: words('runAs'), aliases: ['run as', 'account'] },
    ],
    rowsOf: scriptRows(place, faultWords),
    columns: [
      { id: 'name', header: words('name'), cell: ({ row }) => row.name },
      { id: 'language', header: words('language'), cell: ({ row }) => row.language },
      { id: 'category', header: words('category'), cell: ({ row }) => row.category },
      { id: 'length', header: importWords('lines'), cell: ({ row }) => row.content.split('\n').length },
    ],
    outcomes: {},
    result: ({ imported = 0, skipped = 0 }) => importWords('scriptResult', { imported, skipped }),
    fileName: 'scripts-not-imported.csv',
    back: (
      <Button component={Link} to="/library/scripts">
        {importWords('toScripts')}
      </Button>
    ),
    options: choice,
    otherInput: (onRows) => (
      <Files rowsOf={(files) => scriptFiles(files, place, faultWords)} onRows={onRows} owner={choice} />
    ),
  };
}

const Flow = () => <ImportFlow kind={useKind()} />;

/** Imports scripts: from a table, or as files. */
export function ScriptImport() {
  const words = useTranslations('library.imports');
  return (
    <ImportPage title={words('scriptTitle')}>
      <Flow />
    </ImportPage>
  );
}
