import { Button, Combobox, Group, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '../../ui/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../api/me.ts';
import { Overlay } from '../../ui/forms/unsaved.ts';
import { siteQuery } from '../../ui/text/time.tsx';
import { usePageOrg } from '../../ui/use-org.tsx';
import { ALL, OrganizationOptions, SiteOptions, TO_ORGANIZATIONS, TO_SITES } from './place-options.tsx';
import { organizationNamed, rememberOrganization } from './places.ts';
import { id } from '../search.ts';
import { StarButton } from './star-button.tsx';

const DEBOUNCE_MS = 150;

interface Context {
  readonly org?: string | undefined;
  readonly site?: string | undefined;
}

const idOf = (value: unknown) => (typeof value === 'string' ? id(value) : undefined);

/**
 * The places of the page. Choosing writes them into the address of the present list and nothing else; from a page
 * of one organisation it leads to the page of another.
 */
function useChosen() {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  const { own, org: present } = usePageOrg();
  const navigate = useNavigate();
  const toPage = ({ org, site }: Context) => {
    if (!org) return navigate({ to: '/orgs' });
    if (site) return navigate({ to: '/devices', search: { org, site } });
    return navigate({ to: '/orgs/$orgId', params: { orgId: org } });
  };
  const toList = ({ org, site }: Context) =>
    navigate({ to: '.', search: { ...search, page: undefined, org, site } as never });
  const choose = (context: Context) => void (own ? toPage(context) : toList(context));
  return { org: idOf(present), site: idOf(search['site']), choose };
}

/** The two steps, organisation and site, and what a choice in each does. */
function useSteps() {
  const { scope } = useMe();
  const isAbove = scope !== 'organization';
  const { org, site, choose } = useChosen();
  const [atSites, setAtSites] = useState(!isAbove);
  const [search, setSearch] = useState('');
  const reset = () => {
    setSearch('');
    setAtSites(!isAbove);
  };
  const combobox = useCombobox({ onDropdownClose: reset, onDropdownOpen: () => combobox.focusSearchInput() });
  const step = (next: boolean) => {
    setSearch('');
    setAtSites(next);
    combobox.focusSearchInput();
  };
  const take = (value: string) => {
    if (value === TO_SITES || value === TO_ORGANIZATIONS) return step(value === TO_SITES);
    const id = value === ALL ? undefined : value;
    if (atSites) choose({ org, site: id });
    else choose({ org: id });
    if (!atSites && id) rememberOrganization(id);
    combobox.closeDropdown();
  };
  return { combobox, take, isAbove, atSites, org, site, search, setSearch };
}

/** The chosen places by name, from the top. */
function usePath(orgId: string | undefined, siteId: string | undefined) {
  const words = useTranslations('shell.context');
  const { membership, scope } = useMe();
  const isAbove = scope !== 'organization';
  const org = useQuery(organizationNamed(isAbove ? orgId : undefined)).data;
  const site = useQuery(siteQuery(siteId)).data;
  const own = membership.orgName ?? membership.partnerName;
  const chosen = [org?.name, site?.name].filter(Boolean);
  const all = words(isAbove ? 'all' : 'allSites');
  return { org, own, chosen: chosen.length > 0 ? chosen.join(' ▸ ') : all };
}

/** Where room is short, the chosen place stays readable longest. */
function Path({ own, chosen }: Pick<ReturnType<typeof usePath>, 'own' | 'chosen'>) {
  return (
    <span className="gh-path">
      {own && <span className="gh-path-own">{own}</span>}
      {own && <span className="gh-path-own-end"> ▸ </span>}
      <span className="gh-path-chosen">{chosen}</span>
    </span>
  );
}

/** Chooses the organisation and its site; there is no other memory of them than the address. */
export function ContextSwitcher() {
  const words = useTranslations('shell.context');
  const { combobox, take, isAbove, atSites, search, setSearch, ...chosen } = useSteps();
  const [settled] = useDebouncedValue(search, DEBOUNCE_MS);
  const { org, ...path } = usePath(chosen.org, chosen.site);
  const label = words(atSites ? 'searchSites' : 'search');
  const close = () => {
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  const Options = atSites ? SiteOptions : OrganizationOptions;
  return (
    <Combobox store={combobox} width={300} position="bottom-start" onOptionSubmit={take}>
      <Combobox.Target targetType="button">
        <Button
          variant={(chosen.org ?? chosen.site) ? 'light' : 'default'}
          onClick={() => combobox.toggleDropdown()}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${words('open')}: ${[path.own, path.chosen].filter(Boolean).join(' ▸ ')}`}
          aria-keyshortcuts="["
          data-context
          maw={{ base: 210, sm: 340, lg: 560 }}
        >
          <Path {...path} />
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {combobox.dropdownOpened && <Overlay onClose={close} />}
        <Group gap={4} wrap="nowrap" className="gh-place-search">
          <Combobox.Search
            key={label}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            placeholder={label}
            aria-label={label}
          />
          {org && <StarButton id={org.id} name={org.name} />}
        </Group>
        {combobox.dropdownOpened && <Options search={settled} org={org} site={chosen.site} isAbove={isAbove} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}
