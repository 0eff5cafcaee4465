import { Button, CloseButton, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '../icons.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Choice } from '../forms/inputs.tsx';

const DEBOUNCE_MS = 250;

/** The row of filters above a list. */
export const FilterBar = ({ children }: { readonly children: ReactNode }) => (
  <Group gap="xs" role="search" className="gh-filters">
    {children}
  </Group>
);

interface ArrivedProps {
  readonly count: number;
  readonly text: string;
  readonly show: () => void;
}

/** Shows what has arrived on demand; it lies above the rows and takes no room, so that none moves. */
export const Arrived = ({ count, text, show }: ArrivedProps) => (
  <div className="gh-arrived">
    <div role="status">
      {count > 0 && (
        <Button size="xs" radius="xl" onClick={show}>
          {text}
        </Button>
      )}
    </div>
  </div>
);

interface SearchFilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Text that the server searches for, a quarter second after the last key. */
export function SearchFilter({ value, onChange }: SearchFilterProps) {
  const words = useTranslations('ui');
  const [draft, setDraft] = useState(value ?? '');
  const [sent, setSent] = useState(value);
  const [settled, setSettled] = useState(value);
  // Cleared filters and the back button change the value from outside; what was typed here comes back trimmed and late,
  // and must not take away what has been typed since.
  if (value !== settled) {
    setSettled(value);
    setSent(value);
    if (value !== sent) setDraft(value ?? '');
  }
  const send = useDebouncedCallback((next: string) => {
    const text = next.trim() || undefined;
    setSent(text);
    onChange(text);
  }, DEBOUNCE_MS);
  const type = (next: string) => {
    setDraft(next);
    send(next);
  };
  return (
    <TextInput
      aria-label={words('search')}
      placeholder={words('search')}
      data-search
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={draft && <CloseButton size="sm" aria-label={words('clearSearch')} onClick={() => type('')} />}
      value={draft}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface ChoiceFilterProps<T extends string> {
  readonly name: string;
  readonly value: T | undefined;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T | undefined) => void;
}

/** One of a few values, or all. */
export function ChoiceFilter<T extends string>({ name, value, choices, onChange }: ChoiceFilterProps<T>) {
  const words = useTranslations('ui');
  return (
    <Choice
      aria-label={words('filter', { name })}
      none={name}
      data={choices}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
