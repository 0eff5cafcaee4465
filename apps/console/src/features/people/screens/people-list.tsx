import { Badge, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { membershipFor } from '../model.ts';
import { COLORS } from '../colors.ts';
import { invite, peopleQuery, type Person, rolesQuery, type SORTS, STATUSES } from '../queries.ts';
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
    { id: 'email', header: words('email'), sort: 'email', cell: ({ email }) => email },
    {
      id: 'role',
      header: words('role'),
      cell: ({ memberships }) => memberships.map(({ roleName }) => roleName).join(', '),
    },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status, breakGlass }) => (
        <Group gap={4}>
          <Badge size="sm" variant="light" tt="none" color={COLORS[status]} className="gh-status">
            {words(`statuses.${status}`)}
          </Badge>
          {breakGlass && (
            <Badge size="sm" variant="light" tt="none" color="orange" className="gh-flag">
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

/** Invites to the organisation that is chosen, or else to the partner. */
function InviteButton() {
  const words = useTranslations('people');
  const me = useMe();
  const orgId = useOrg();
  const axis = orgId ? 'organization' : 'partner';
  const roles = (useQuery(rolesQuery).data ?? []).filter((role) => role.axis === axis);
  return (
    <FormButton
      label={words('invite')}
      text={words('inviteText')}
      needs="POST /users"
      fields={[
        { name: 'email', label: words('email'), ...inputLimits('POST /users', 'email') },
        { name: 'name', label: words('name'), ...inputLimits('POST /users', 'name') },
        {
          name: 'membership.roleId',
          label: words('role'),
          kind: 'choice',
          required: true,
          choices: roles.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      changes={['people']}
      act={(values) =>
        invite({
          email: String(values['email']),
          name: String(values['name']),
          membership: membershipFor(me, orgId, String(values['membership.roleId'])),
        })
      }
      onDone={() => notifyDone(words('invited'))}
    />
  );
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
        choices={(useQuery(rolesQuery).data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
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
    <Page
      title={words('title')}
      actions={
        <>
          <Button component={Link} to="/people/roles" variant="default">
            {words('rolesTitle')}
          </Button>
          <Button component={Link} to="/people/api-keys" variant="default">
            {words('keysTitle')}
          </Button>
          <InviteButton />
        </>
      }
    >
      <Filters />
      <QueryView query={useQuery(peopleQuery(search))}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} clear={clear} />
          ) : (
            <>
              <DataTable
                label={words('title')}
                columns={columns}
                rows={data}
                idOf={({ id }) => id}
                sort={sort}
                onSort={(next) => void navigate({ search: { ...search, sort: next as (typeof SORTS)[number] } })}
              />
              <Pager pagination={pagination} onPage={(page) => void navigate({ search: { ...search, page } })} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
