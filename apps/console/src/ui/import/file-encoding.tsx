import { Alert, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SafeText } from '../text/safe-text.tsx';
import { type Sheet, sheetOfFile } from './csv.ts';
import { type Encoding, ENCODINGS } from './encoding.ts';
import './words.ts';

const SHOWN_ROWS = 3;
const MAX_SHOWN = 160;

interface FileEncodingProps {
  readonly sheet: Sheet;
  readonly onSheet: (sheet: Sheet) => void;
}

/** Shows in which encoding a file was read, with its first rows, and reads it again in another. */
export function FileEncoding({ sheet, onSheet }: FileEncodingProps) {
  const words = useTranslations('import');
  const { file, header, rows } = sheet;
  if (!file) return null;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={words('encoding')}
        description={words('encodingHint')}
        data={ENCODINGS.map((value) => ({ value, label: words(`encodings.${value}`) }))}
        value={file.encoding}
        onChange={({ currentTarget }) => onSheet(sheetOfFile(file.bytes, currentTarget.value as Encoding))}
      />
      {[header, ...rows.slice(0, SHOWN_ROWS)].map((cells, at) => (
        <Text key={at} size="sm" className="gh-mono">
          <SafeText value={cells.join(' · ')} most={MAX_SHOWN} />
        </Text>
      ))}
      {file.unreadable > 0 && <Alert color="red">{words('unreadable', { count: file.unreadable })}</Alert>}
    </Stack>
  );
}
