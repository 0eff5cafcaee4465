import { Checkbox, Fieldset, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Kind, placesQuery, useNames } from './places.ts';

const TYPING_MS = 250;
/** Fewer places are seen at a glance. */
const SEARCHED_FROM = 8;

interface PlaceListProps {
  readonly kind: Kind;
  readonly label: string;
  readonly orgId?: string | null;
  readonly value: readonly string[];
  /** Several places can be chosen. */
  readonly many?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (ids: readonly string[]) => void;
}

/** The places that are chosen first, then those that the server finds. */
function useOffered({ kind, orgId = null, value }: PlaceListProps, search: string) {
  const [chosen] = useState(value);
  const { data, isFetching } = useQuery(placesQuery(kind, orgId, search));
  const named = useNames(kind, search === '' ? chosen : []);
  const found = data?.found ?? [];
  const offered = [...named, ...found.filter(({ id }) => !named.some((one) => one.id === id))];
  return { offered, isFetching, total: data?.total ?? 0, more: (data?.total ?? 0) - found.length };
}

/** Chooses organisations or sites; the server searches while one types, and what was chosen stays. */
export function PlaceList(props: PlaceListProps) {
  const { kind, label, value, many = false, error, onChange } = props;
  const words = useTranslations('people.places');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { offered, isFetching, total, more } = useOffered(props, search);
  const notes = [
    ...(many ? [words('chosen', { count: value.length })] : []),
    ...(more > 0 ? [words('more', { count: more })] : []),
  ];
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
  return (
    <Fieldset legend={label}>
      <Stack gap="xs">
        {(total > SEARCHED_FROM || typed !== '') && (
          <TextInput
            aria-label={words(`search.${kind}`)}
            placeholder={words(`search.${kind}`)}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        {offered.map(({ id, name }) =>
          many ? (
            <Checkbox key={id} label={name} checked={value.includes(id)} onChange={() => toggle(id)} />
          ) : (
            <Radio key={id} name={kind} label={name} checked={value[0] === id} onChange={() => onChange([id])} />
          ),
        )}
        {offered.length === 0 && !isFetching && <Text className="gh-hint">{words('nothing')}</Text>}
        {notes.length > 0 && (
          <Text size="xs" c="dimmed" role="status">
            {notes.join(' · ')}
          </Text>
        )}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
