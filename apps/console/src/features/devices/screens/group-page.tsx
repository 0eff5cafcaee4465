import '../words.ts';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { DeleteGroupButton, EditGroupButton } from '../groups/group-buttons.tsx';
import { CHANGES, type DeviceGroup, groupQuery, removeDevices } from '../groups/queries.ts';
import { DevicesLinks, DeviceTable } from '../parts/device-table.tsx';
import { type Device, devicesQuery } from '../queries.ts';
import { useSelection } from '../use-moves.ts';

/** Loaded when devices are added for the first time. */
const AddForm = lazyPart(async () => ({ default: (await import('../groups/add-form.tsx')).AddForm }));

/** Puts devices of the organisation into a group. */
function AddDevicesButton({ group }: { readonly group: DeviceGroup }) {
  const words = useTranslations('devices');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /device-groups/{id}/devices')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('addDevices')}</Button>
      <Dialog
        title={words('addTitle', { name: group.name })}
        orgId={group.orgId}
        opened={opened}
        onClose={dialog.close}
      >
        <Suspense fallback={null}>{opened && <AddForm group={group} onClose={dialog.close} />}</Suspense>
      </Dialog>
    </>
  );
}

const route = getRouteApi('/devices/groups/$groupId');
const REMOVE = 'DELETE /device-groups/{id}/devices';

interface RemoveProps {
  readonly group: DeviceGroup;
  readonly devices: readonly Device[];
  readonly onDone: () => void;
}

function RemoveButton({ group: { id, name }, devices, onDone }: RemoveProps) {
  const words = useTranslations('devices');
  if (devices.length === 0) return null;
  const ids = devices.map((device) => device.id);
  return (
    <Group className="gh-bulk" gap="xs">
      <Text size="sm" role="status">
        {words('selected', { count: ids.length })}
      </Text>
      <ConfirmButton
        label={words('removeFromGroup')}
        title={words('removeTitle', { count: ids.length, name })}
        size="xs"
        needs={REMOVE}
        changes={CHANGES}
        act={() => removeDevices(id, ids)}
        onDone={onDone}
      >
        {words('removeText')}
      </ConfirmButton>
    </Group>
  );
}

function Members({ group }: { readonly group: DeviceGroup }) {
  const words = useTranslations('devices');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { devices, selectionOf, clear } = useSelection();
  const mayRemove = useCan()(REMOVE);
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <>
      {(group.deviceCount > 0 || search.q) && (
        <FilterBar>
          <SearchFilter value={search.q} onChange={(q) => change({ q })} />
        </FilterBar>
      )}
      <ListView
        query={useQuery(devicesQuery({ ...search, group: group.id }))}
        rows={({ data }) => data}
        empty={{
          title: words('noMember'),
          text: words('noMemberText'),
          clear: search.q ? () => change({ q: undefined }) : undefined,
        }}
        onPage={(page) => change({ page })}
      >
        {(data) => (
          <>
            <DeviceTable rows={data} selection={mayRemove ? selectionOf(data) : undefined} />
            <RemoveButton group={group} devices={devices} onDone={clear} />
          </>
        )}
      </ListView>
    </>
  );
}

/** One device group with its devices. */
export function GroupPage() {
  const { groupId } = route.useParams();
  return (
    <QueryView query={useQuery(groupQuery(groupId))}>
      {(group) => (
        <Page
          title={group.name}
          orgId={group.orgId}
          actions={
            <>
              <AddDevicesButton group={group} />
              <EditGroupButton key={group.updatedAt} group={group} />
              <DeleteGroupButton group={group} />
            </>
          }
        >
          <DevicesLinks />
          {group.description && <Text size="sm">{group.description}</Text>}
          <Members group={group} />
        </Page>
      )}
    </QueryView>
  );
}
