import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { peopleQuery } from '../queries.ts';

const DEBOUNCE_MS = 200;

/** Searches for a person on the server; who was chosen stands below the filters. */
export function PersonFilter({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const words = useTranslations('audit');
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS);
  const { data: found = [], isFetching } = useQuery(peopleQuery(settled));
  return (
    <Select
      aria-label={words('whoPlaceholder')}
      placeholder={words('whoPlaceholder')}
      searchable
      w={200}
      data={found.map(({ id, name, email }) => ({ value: id, label: name || email }))}
      nothingFoundMessage={!isFetching && settled === typed && words('noPersonFound')}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        setTyped('');
        if (id) onChoose(id);
      }}
    />
  );
}
