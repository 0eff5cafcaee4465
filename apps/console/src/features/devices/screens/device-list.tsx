import '../words.ts';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { addDevices, CHANGES, groupChoicesQuery, groupQuery } from '../groups/queries.ts';
import { DevicesLinks, DeviceTable } from '../parts/device-table.tsx';
import { MoveButton } from '../parts/move-button.tsx';
import { type Device, devicesQuery, STATES } from '../queries.ts';
import { MAX_SELECTED, useSelection } from '../use-moves.ts';

/** Puts the selected devices into a group; a group takes devices of its own organisation only. */
function AddToGroup({ orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] }) {
  const words = useTranslations('devices');
  const groups = useQuery(groupChoicesQuery(orgId)).data ?? [];
  if (groups.length === 0) return null;
  const choices = groups.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormButton
      label={words('addToGroup')}
      title={words('addToGroupTitle', { count: ids.length })}
      orgId={orgId}
      action="add"
      size="xs"
      variant="default"
      needs="POST /device-groups/{id}/devices"
      fields={[{ name: 'group', label: words('group'), kind: 'choice', choices, required: true }]}
      changes={CHANGES}
      act={({ group }) => addDevices(String(group), ids)}
      onDone={({ data: { name } }) => notifyDone(words('added', { count: ids.length, name }))}
    />
  );
}

interface BulkBarProps {
  readonly devices: readonly Device[];
  readonly onMoved: (ids: ReadonlySet<string>) => void;
  readonly onClear: () => void;
}

/** What can be done to all devices that are selected. */
function BulkBar({ devices, onMoved, onClear }: BulkBarProps) {
  const words = useTranslations('devices');
  const [orgId, ...others] = new Set(devices.map((device) => device.orgId));
  if (orgId === undefined) return null;
  const ids = devices.map(({ id }) => id);
  return (
    <Group gap="xs" className="gh-bulk" role="group" aria-label={words('selected', { count: ids.length })}>
      <Text size="sm" role="status">
        {words('selected', { count: ids.length })}
        {ids.length >= MAX_SELECTED && ` ${words('mostSelected', { count: MAX_SELECTED })}`}
      </Text>
      <MoveButton devices={devices} size="xs" onMoved={onMoved} />
      {others.length === 0 && <AddToGroup orgId={orgId} ids={ids} />}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {words('clearSelection')}
      </Button>
    </Group>
  );
}

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

/** The way to the enrolment keys of an organisation. */
function ToKeys({ org }: { readonly org: string | undefined }) {
  const words = useTranslations('devices');
  if (!useCan()('POST /enrollment-keys')) return null;
  return (
    <Button
      component={Link}
      variant="light"
      {...((org ? { to: '/orgs/$orgId', params: { orgId: org } } : { to: '/orgs' }) as { to: '/orgs' })}
    >
      {words('toKeys')}
    </Button>
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
  const query = useQuery(devicesQuery(search));
  return (
    <>
      <ListView
        query={query}
        rows={({ data }) => data}
        empty={{ title: words('none'), text: words('noneText'), clear, action: <ToKeys org={org} /> }}
        onPage={toPage}
        held={{ of: 'devices', question: JSON.stringify([search, query.isPlaceholderData]) }}
      >
        {(rows) => <DeviceTable rows={rows} selection={mayAct ? selectionOf(rows) : undefined} />}
      </ListView>
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
        <ChoiceFilter
          name={words('seen')}
          value={search.silent && 'silent'}
          choices={[{ value: 'silent', label: words('silent') }]}
          onChange={(silent) => change({ silent: silent && true })}
        />
      </FilterBar>
      <Devices />
    </Page>
  );
}
