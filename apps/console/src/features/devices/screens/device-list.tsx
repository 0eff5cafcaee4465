import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Pager } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { groupQuery } from '../groups/queries.ts';
import { BulkBar } from '../parts/bulk-bar.tsx';
import { DeviceTable } from '../parts/device-table.tsx';
import { DevicesLinks } from '../parts/devices-links.tsx';
import { devicesQuery } from '../queries.ts';
import { STATES } from '../states.ts';
import { useSelection } from '../use-selection.ts';
import '../words.ts';

const route = getRouteApi('/devices');

/** The group that narrows the list. */
function GroupNote({ id }: { readonly id: string }) {
  const words = useTranslations('devices');
  const name = useQuery(groupQuery(id)).data?.name;
  if (name === undefined) return null;
  return (
    <Link to="/devices/groups/$groupId" params={{ groupId: id }}>
      {words('inGroup', { name })}
    </Link>
  );
}

function Devices() {
  const words = useTranslations('devices');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { devices, selectionOf, remove, clear: clearSelection } = useSelection();
  const mayAct = useCan()('POST /devices/{id}/move');
  const { org, site, ...filters } = search;
  const clear = Object.keys(filters).length > 0 ? () => void navigate({ search: { org, site } }) : undefined;
  const toPage = (page: number) => void navigate({ search: { ...search, page }, replace: true });
  return (
    <>
      <QueryView query={useQuery(devicesQuery(search))}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} clear={clear} />
          ) : (
            <>
              <DeviceTable rows={data} selection={mayAct ? selectionOf(data) : undefined} />
              <Pager pagination={pagination} onPage={toPage} />
            </>
          )
        }
      </QueryView>
      <BulkBar devices={devices} onMoved={remove} onClear={clearSelection} />
    </>
  );
}

/** The devices of the chosen place. */
export function DeviceList() {
  const words = useTranslations('devices');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <Page title={words('title')} aside={search.group && <GroupNote id={search.group} />}>
      <DevicesLinks />
      <FilterBar>
        <SearchFilter value={search.q} onChange={(q) => change({ q })} />
        <ChoiceFilter
          name={words('status')}
          value={search.status}
          choices={STATES.map((value) => ({ value, label: words(`states.${value}`) }))}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <Devices />
    </Page>
  );
}
