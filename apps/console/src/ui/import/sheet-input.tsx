import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Sheet, sheetOf, sheetOfFile } from './csv.ts';
import { bytesOf, encodingOf } from './encoding.ts';
import './words.ts';

interface SheetInputProps {
  /** Which columns are understood. */
  readonly children: ReactNode;
  readonly onSheet: (sheet: Sheet) => void;
}

/** Takes a table as pasted text or as a CSV file. */
export function SheetInput({ children, onSheet }: SheetInputProps) {
  const words = useTranslations('import');
  const [text, setText] = useState('');
  const [empty, setEmpty] = useState(false);
  const take = (sheet: Sheet) => {
    setEmpty(sheet.rows.length === 0);
    if (sheet.rows.length > 0) onSheet(sheet);
  };
  const read = (file: File | null) =>
    void (file && bytesOf(file).then((bytes) => take(sheetOfFile(bytes, encodingOf(bytes)))));
  return (
    <Stack className="gh-card" align="stretch">
      <Text size="sm">{children}</Text>
      <Textarea
        label={words('paste')}
        placeholder={words('placeholder')}
        autosize
        minRows={6}
        maxRows={16}
        classNames={{ input: 'gh-mono' }}
        error={empty && words('empty')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group gap="xs">
        <Button disabled={text.trim() === ''} onClick={() => take(sheetOf(text))}>
          {words('next')}
        </Button>
        <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={read}>
          {(props) => (
            <Button variant="default" {...props}>
              {words('file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}
