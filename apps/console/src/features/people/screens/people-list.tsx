import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { Access } from '../access/reach.tsx';
import { InviteButton } from '../parts/invite-button.tsx';
import { PeopleTabs } from '../parts/people-tabs.tsx';
import { COLORS, peopleQuery, type Person, useRoles, type SORTS, STATUSES } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/people');

function useColumns(): readonly Column<Person>[] {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  return [
    {
      id: 'name',
      header: words('name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <Link to="/people/$userId" params={{ userId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'email', header: words('email'), sort: 'email', cell: ({ email }) => shownAddress(email) },
    { id: 'role', header: words('role'), cell: ({ memberships }) => <Access memberships={memberships} /> },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status, breakGlass }) => (
        <Group gap={4}>
          <Badge color={COLORS[status]} data-status>
            {words(`statuses.${status}`)}
          </Badge>
          {breakGlass && (
            <Badge color="orange" className="gh-flag">
              {words('breakGlass')}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'factor', header: words('factor'), cell: ({ mfaEnrolled }) => uiWords(mfaEnrolled ? 'yes' : 'no') },
    {
      id: 'login',
      header: words('lastLogin'),
      sort: 'lastLoginAt',
      cell: ({ lastLoginAt }) => (lastLoginAt ? <Instant at={lastLoginAt} /> : uiWords('never')),
    },
  ];
}

function Filters() {
  const words = useTranslations('people');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <FilterBar>
      <SearchFilter value={search.q} onChange={(q) => change({ q })} />
      <ChoiceFilter
        name={words('status')}
        value={search.status}
        choices={STATUSES.map((value) => ({ value, label: words(`statuses.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      <ChoiceFilter
        name={words('role')}
        value={search.role}
        choices={(useRoles().data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(role) => change({ role })}
      />
    </FilterBar>
  );
}

/** The people within reach. */
export function PeopleList() {
  const words = useTranslations('people');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const { org, site, sort, page: _page, ...filters } = search;
  const clear = Object.keys(filters).length > 0 ? () => void navigate({ search: { org, site } }) : undefined;
  return (
    <Page title={words('title')} actions={<InviteButton orgId={useOrg()} siteId={site} />}>
      <PeopleTabs />
      <Filters />
      <ListView
        query={useQuery(peopleQuery(search))}
        rows={({ data }) => data}
        empty={{ title: words('none'), text: words('noneText'), clear }}
        onPage={(page) => void navigate({ search: { ...search, page } })}
      >
        {(data) => (
          <DataTable
            label={words('title')}
            columns={columns}
            rows={data}
            idOf={({ id }) => id}
            sort={sort}
            onSort={(next) => void navigate({ search: { ...search, sort: next as (typeof SORTS)[number] } })}
          />
        )}
      </ListView>
    </Page>
  );
}
