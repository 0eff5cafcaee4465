import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { Access } from '../access/reach.tsx';
import { expiresBefore, EXPIRIES, peopleQuery, type Person } from '../queries.ts';
import { InvitationButtons } from '../parts/invitation-buttons.tsx';
import { InviteButton } from '../parts/invite-button.tsx';
import { PeopleTabs } from '../parts/people-tabs.tsx';
import '../words.ts';

const route = getRouteApi('/people/invitations');

function useColumns(): readonly Column<Person>[] {
  const words = useTranslations('people');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/people/$userId" params={{ userId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'email', header: words('email'), cell: ({ email }) => shownAddress(email) },
    {
      id: 'role',
      header: words('role'),
      cell: ({ memberships }) => <Access memberships={memberships} />,
    },
    { id: 'invited', header: words('invitedAt'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      id: 'expires',
      header: words('expiresAt'),
      cell: ({ invitationExpiresAt: at }) => at && <Instant at={at} />,
    },
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      needs: 'DELETE /users/{id}/invitation',
      cell: (person) => (
        <Group gap="xs">
          <InvitationButtons person={person} size="xs" />
        </Group>
      ),
    },
  ];
}

/** Invitations that wait to be accepted. */
export function InvitationList() {
  const words = useTranslations('people');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const org = useOrg();
  const { q, expires, page } = search;
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const clear = q || expires ? () => change({ q: undefined, expires: undefined }) : undefined;
  const filter = {
    q,
    page,
    ...(org && { org }),
    ...(expires && { expiresBefore: expiresBefore(expires, serverNow()) }),
  };
  const invite = <InviteButton orgId={org} siteId={search.site} />;
  return (
    <Page title={words('invitations')} actions={invite}>
      <PeopleTabs />
      <FilterBar>
        <SearchFilter value={q} onChange={(next) => change({ q: next })} />
        <ChoiceFilter
          name={words('expiresAt')}
          value={expires}
          choices={EXPIRIES.map((value) => ({ value, label: words(`expiresWithin.${value}`) }))}
          onChange={(next) => change({ expires: next })}
        />
      </FilterBar>
      <ListView
        query={useQuery(peopleQuery({ ...filter, status: 'invited' }))}
        rows={({ data }) => data}
        empty={{ title: words('noInvitations'), text: words('noInvitationsText'), clear }}
        onPage={(next) => void navigate({ search: { ...search, page: next } })}
      >
        {(data) => <DataTable label={words('invitations')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </Page>
  );
}
