import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Refusal } from '../forms/refusal.tsx';

const withoutBlanks = (code: string) => code.replaceAll(/\s/g, '');

interface CodeFormProps {
  readonly label: string;
  readonly error: unknown;
  readonly saving: boolean;
  /** Whether another way stands above it, which is to be preferred. */
  readonly isSecond?: boolean;
  readonly onCode: (code: string) => void;
}

/** Asks for a code of an authenticator; blanks that people type for reading are left out. */
export function CodeForm({ label, error, saving, isSecond = false, onCode }: CodeFormProps) {
  const words = useTranslations('shell.stepUp');
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(withoutBlanks(code));
      }}
    >
      <Stack>
        <TextInput
          label={label}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="text"
          data-autofocus
          required
        />
        <Refusal error={error} />
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={saving}>
          {words('confirm')}
        </Button>
      </Stack>
    </form>
  );
}
