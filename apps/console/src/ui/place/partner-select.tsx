import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../api/client.ts';
import './words.ts';

const TYPING_MS = 250;
const MAX_FOUND = 20;

const partnersFoundQuery = (search: string) =>
  getQuery('system', '/orgs/partners', {
    query: { limit: MAX_FOUND, ...(search && { search }) },
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
  });

/** What the server finds, and whether that is the answer to what is typed now. */
function useFound(typed: string) {
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data: found = [], isFetching } = useQuery(partnersFoundQuery(search));
  return { found, isAnswered: !isFetching && search === typed };
}

/** One of the partners, for operators: the server finds them by their names. */
export function PartnerSelect({ value = null, label, ...input }: SelectProps) {
  const words = useTranslations('place');
  const [typed, setTyped] = useState('');
  const { found, isAnswered } = useFound(typed.trim());
  const known = getQuery('system', '/orgs/partners/{id}', { path: { id: value ?? '' }, enabled: Boolean(value) });
  const chosen = useQuery(known).data;
  const partners = chosen && found.every(({ id }) => id !== chosen.id) ? [chosen, ...found] : found;
  /** Two of one name are told apart by their short names. */
  const labelOf = ({ id, name, slug }: (typeof partners)[number]) =>
    partners.some((other) => other.id !== id && other.name === name) ? `${name} · ${slug}` : name;
  return (
    <Select
      label={input['aria-label'] ? undefined : label || words('partner')}
      placeholder={words('searchPartners')}
      nothingFoundMessage={isAnswered && words('noPartner')}
      {...input}
      searchable
      // The server has searched, and the name of the chosen one is no search.
      filter={({ options }) => options}
      data={partners.map((one) => ({ value: one.id, label: labelOf(one) }))}
      value={value || null}
      onSearchChange={(text) => setTyped(chosen && text === labelOf(chosen) ? '' : text)}
    />
  );
}
