import { Button, Combobox, ScrollArea, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { ok } from '@gatehouse/client';
import { IconChevronDown } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { changePreferences, preferences, usePreferences } from '../preferences.ts';

const SHOWN = 20;
const RECENT = 5;
const DEBOUNCE_MS = 150;

interface Place {
  readonly id: string;
  readonly name: string;
}

/** Organisations that a partner's caller searches for; in organisation scope, the sites of the one organisation. */
function usePlaces(search: string) {
  const { scope } = useMe();
  return useQuery({
    queryKey: ['organizations', 'switcher', scope, search],
    queryFn: async ({ signal }): Promise<readonly Place[]> => {
      const params = { query: { limit: SHOWN, ...(search && { search }) } };
      const path = scope === 'organization' ? '/orgs/sites' : '/orgs/organizations';
      return (await ok(api.GET(path, { params, signal }))).data;
    },
    placeholderData: keepPreviousData,
  });
}

function usePlaceName(id: string | undefined): string | undefined {
  const { scope } = useMe();
  const one = useQuery({
    queryKey: ['organizations', 'switcher', 'one', scope, id],
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<string> => {
      const params = { path: { id: id! } };
      const path = scope === 'organization' ? '/orgs/sites/{id}' : '/orgs/organizations/{id}';
      return (await ok(api.GET(path, { params, signal }))).name;
    },
  });
  return one.data;
}

function useChosen() {
  const { scope } = useMe();
  const key = scope === 'organization' ? 'site' : 'org';
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const value = search[key];
  const choose = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: { ...search, org: undefined, site: undefined, page: undefined, [key]: id } as never,
    });
  return { id: typeof value === 'string' ? value : undefined, choose };
}

/** Starred organisations first, then those visited last. */
function usePreferredOrder(places: readonly Place[]): readonly Place[] {
  const { starredOrganizations, recentOrganizations } = usePreferences();
  const preferred = [...starredOrganizations, ...recentOrganizations];
  const rank = ({ id }: Place) => (preferred.includes(id) ? preferred.indexOf(id) : preferred.length);
  return [...places].sort((one, other) => rank(one) - rank(other));
}

function remember(id: string): void {
  const { recentOrganizations } = preferences();
  changePreferences({ recentOrganizations: [id, ...recentOrganizations.filter((one) => one !== id)].slice(0, RECENT) });
}

interface PlaceOptionsProps {
  readonly all: string;
  readonly search: string;
  readonly chosen: string | undefined;
}

function PlaceOptions({ all, search, chosen }: PlaceOptionsProps) {
  const ordered = usePreferredOrder(usePlaces(search).data ?? []);
  return (
    <Combobox.Options>
      <ScrollArea.Autosize mah={320}>
        <Combobox.Option value="">{all}</Combobox.Option>
        {ordered.map((place) => (
          <Combobox.Option key={place.id} value={place.id} active={place.id === chosen}>
            {place.name}
          </Combobox.Option>
        ))}
      </ScrollArea.Autosize>
    </Combobox.Options>
  );
}

/** Chooses the organisation and writes it into the address of the present list; there is no other memory of it. */
export function ContextSwitcher() {
  const words = useTranslations('shell.context');
  const { scope, membership } = useMe();
  const { id, choose } = useChosen();
  const name = usePlaceName(id);
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, DEBOUNCE_MS);
  const combobox = useCombobox({ onDropdownClose: () => setSearch('') });
  const all = words(scope === 'organization' ? 'allSites' : 'all');
  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      onOptionSubmit={(value) => {
        choose(value === '' ? undefined : value);
        if (value !== '') remember(value);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          variant="default"
          onClick={() => combobox.toggleDropdown()}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={words('open')}
          maw={{ base: 180, sm: 340 }}
        >
          {[membership.orgName ?? membership.partnerName, name ?? all].filter(Boolean).join(' ▸ ')}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          placeholder={words('search')}
          aria-label={words('search')}
        />
        <PlaceOptions all={all} search={settled} chosen={id} />
      </Combobox.Dropdown>
    </Combobox>
  );
}
