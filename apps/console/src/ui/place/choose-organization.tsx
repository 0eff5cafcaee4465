import { Button, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronRight, IconSearch } from '../icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyView, ErrorView } from '../state-views.tsx';
import { useLabelOf } from '../use-org.tsx';
import { organizationsFoundQuery } from './queries.ts';
import './words.ts';

const TYPING_MS = 250;
const WIDTH = 320;

/**
 * In place of a list that belongs to one organisation, while none is chosen: a choice goes into the address.
 * @param stays whether an only organisation is not chosen at once, because the screen shows more beside
 */
export function ChooseOrganization({ stays = false }: { readonly stays?: boolean }) {
  const words = useTranslations('place');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data: found = [], isPlaceholderData, error } = useQuery(organizationsFoundQuery(search));
  const labelOf = useLabelOf(found);
  const present = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const choose = (org: string, replace = false) =>
    void navigate({ to: '.', search: { ...present, org } as never, replace });
  const only = !stays && search === '' && !isPlaceholderData && found.length === 1 ? found[0]?.id : undefined;
  useEffect(() => void (only && choose(only, true)));
  const list = (
    <Stack gap="xs" w={WIDTH} maw="100%">
      <TextInput
        aria-label={words('searchOrganizations')}
        placeholder={words('searchOrganizations')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {found.map((organization) => (
        <Button
          key={organization.id}
          variant="default"
          className="gh-long"
          justify="space-between"
          rightSection={<IconChevronRight size={16} aria-hidden className="gh-forward" />}
          onClick={() => choose(organization.id)}
        >
          {labelOf(organization)}
        </Button>
      ))}
    </Stack>
  );
  if (error) return <ErrorView error={error} />;
  return <EmptyView title={words('choose')} text={words('chooseText')} action={list} />;
}
