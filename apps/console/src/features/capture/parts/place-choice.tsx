import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { placeNameQuery } from '../../../ui/place/queries.ts';
import { type Level, placesQuery } from '../policies.ts';

const TYPING_MS = 250;

interface PlaceChoiceProps {
  readonly label: string;
  readonly description?: string;
  readonly level: Level;
  readonly orgId: string | undefined;
  readonly value: string | null;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (id: string | null) => void;
}

/** One place of a level; the server searches while one types. */
export function PlaceChoice({ level, orgId, value, onChange, ...input }: PlaceChoiceProps) {
  const words = useTranslations('captureLevels');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const chosen = useQuery({ ...placeNameQuery(level, value ?? ''), enabled: value !== null }).data;
  const places = placesQuery({ level, orgId, search: search === chosen ? '' : search });
  const { data: found = [], isFetching } = useQuery(places);
  const data = found.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = value === null || data.some((one) => one.value === value);
  return (
    <Select
      {...input}
      searchable
      clearable={!input.required}
      clearButtonProps={{ 'aria-label': words('clear') }}
      nothingFoundMessage={!isFetching && search === typed.trim() && words('nothingFound')}
      data={isListed ? data : [{ value, label: chosen ?? value }, ...data]}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
