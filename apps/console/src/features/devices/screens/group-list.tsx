import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { NewGroupButton } from '../groups/group-buttons.tsx';
import { type DeviceGroup, groupsQuery } from '../groups/queries.ts';
import { DevicesLinks } from '../parts/device-table.tsx';
import '../words.ts';

const route = getRouteApi('/devices/groups');

function useColumns(): readonly Column<DeviceGroup>[] {
  const words = useTranslations('devices');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/devices/groups/$groupId" params={{ groupId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'description', header: words('description'), cell: ({ description }) => description },
    { id: 'devices', header: words('title'), cell: ({ deviceCount }) => deviceCount },
    { id: 'changed', header: words('changed'), cell: ({ updatedAt }) => <Instant at={updatedAt} /> },
  ];
}

function Groups({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('devices');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  return (
    <ListView
      query={useQuery(groupsQuery(orgId, search.page))}
      rows={({ data }) => data}
      empty={{ title: words('noGroup'), text: words('noGroupText') }}
      onPage={(page) => void navigate({ search: { ...search, page } })}
    >
      {(data) => <DataTable label={words('groupsTitle')} columns={columns} rows={data} idOf={({ id }) => id} />}
    </ListView>
  );
}

/** The device groups of one organisation. */
export function GroupList() {
  const words = useTranslations('devices');
  const orgId = useOrg();
  return (
    <Page title={words('groupsTitle')} actions={orgId && <NewGroupButton orgId={orgId} />}>
      <DevicesLinks />
      {orgId ? <Groups orgId={orgId} /> : <ChooseOrganization />}
    </Page>
  );
}
