import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { fieldErrors, requestIdOf, wordsFor } from '../../api/problem.ts';
import { CopyText } from '../text/copy-text.tsx';
import { useTold } from '../unread.tsx';

interface RefusalProps {
  readonly error: unknown;
  /** The fields at which faults stand already; without them, the form shows every fault at its place. */
  readonly fields?: readonly string[];
}

/** What the server refused, above the actions of a form; faults that stand at no field of it are named here. */
export function Refusal({ error, fields }: RefusalProps) {
  const words = useTranslations('ui');
  useTold(error);
  if (!error) return null;
  const requestId = requestIdOf(error);
  const elsewhere = Object.entries(fields ? fieldErrors(error) : {}).filter(([path]) => !fields?.includes(path));
  return (
    <Alert color="red" variant="light" role="alert">
      {wordsFor(error)}
      {elsewhere.map(([path, message]) => (
        <Text key={path} size="sm">
          {path ? `${path}: ${message}` : message}
        </Text>
      ))}
      {requestId && <CopyText label={words('requestId')} text={requestId} />}
    </Alert>
  );
}
