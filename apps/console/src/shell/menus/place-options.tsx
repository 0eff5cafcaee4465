import { Combobox, ScrollArea } from '@mantine/core';
import { IconChevronLeft, IconStarFilled } from '../../ui/icons.tsx';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../api/me.ts';
import { useLabelOf } from '../../ui/use-org.tsx';
import { usePreferences } from '../preferences.ts';
import { grouped, organizationNamed, organizationsFound, type Place, sitesFound } from './places.ts';

/** Options that are no place. */
export const ALL = 'all';
export const TO_SITES = 'sites';
export const TO_ORGANIZATIONS = 'organizations';

const MAX_STARRED = 20;

function useNamed(ids: readonly string[], enabled: boolean): readonly Place[] {
  const queries = ids.slice(0, MAX_STARRED).map((id) => ({ ...organizationNamed(id), enabled }));
  return useQueries({ queries }).flatMap(({ data }) => data ?? []);
}

interface GroupProps {
  readonly label: string;
  readonly places: readonly Place[];
  readonly chosen: string | undefined;
  readonly icon?: ReactNode;
}

function Group({ label, places, chosen, icon }: GroupProps) {
  const labelOf = useLabelOf(places);
  if (places.length === 0) return null;
  return (
    <Combobox.Group label={label}>
      {places.map((place) => (
        <Combobox.Option key={place.id} value={place.id} active={place.id === chosen} className="gh-place">
          {labelOf(place)}
          {icon}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
}

function Options({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Combobox.Options aria-label={label}>
      <ScrollArea.Autosize mah={360}>{children}</ScrollArea.Autosize>
    </Combobox.Options>
  );
}

interface OptionsProps {
  readonly search: string;
  readonly org: Place | undefined;
  readonly site: string | undefined;
  /** Whether the caller may choose among organisations at all. */
  readonly isAbove: boolean;
}

/** All organisations, the sites of the chosen one, then those that are starred, recent and found. */
export function OrganizationOptions({ search, org }: OptionsProps) {
  const words = useTranslations('shell.context');
  const { starredOrganizations, recentOrganizations } = usePreferences();
  const isFresh = search === '';
  const starred = useNamed(starredOrganizations, isFresh);
  const recent = useNamed(recentOrganizations, isFresh);
  const { data: found = [], isFetching } = useQuery(organizationsFound(search));
  const groups = isFresh ? grouped(starred, recent, found) : grouped([], [], found);
  const star = <IconStarFilled size={12} aria-hidden />;
  return (
    <Options label={words('organizations')}>
      <Combobox.Option value={ALL} className="gh-place gh-place-all">
        {words('all')}
      </Combobox.Option>
      {org && (
        <Combobox.Option value={TO_SITES} className="gh-place">
          {words('sitesOf', { name: org.name })}
        </Combobox.Option>
      )}
      <Group label={words('starred')} places={groups.starred} chosen={org?.id} icon={star} />
      <Group label={words('recent')} places={groups.recent} chosen={org?.id} />
      <Group label={words('organizations')} places={groups.found} chosen={org?.id} />
      {!isFresh && !isFetching && found.length === 0 && <Combobox.Empty>{words('nothing')}</Combobox.Empty>}
    </Options>
  );
}

/** The second step: all sites of one organisation, or one of them. */
export function SiteOptions({ search, org, site, isAbove }: OptionsProps) {
  const words = useTranslations('shell.context');
  const enabled = useCan()('GET /orgs/sites');
  const sites = useQuery({ ...sitesFound(org?.id, search), enabled }).data ?? [];
  return (
    <Options label={words('sites')}>
      {isAbove && (
        <Combobox.Option value={TO_ORGANIZATIONS} className="gh-place">
          <IconChevronLeft size={14} aria-hidden className="gh-forward" />
          {words('organizations')}
        </Combobox.Option>
      )}
      <Combobox.Option value={ALL} className="gh-place gh-place-all">
        {words('allSites')}
      </Combobox.Option>
      <Group label={words('sites')} places={sites} chosen={site} />
    </Options>
  );
}
