import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field } from '../../../ui/forms/fields.ts';

export type DeviceGroup = DataOf<'/device-groups', 'get'>['data'][number];

/** Members of a group are devices; policies can be assigned to a group. */
export const CHANGES = ['devices', 'capture', 'software-policies'];
const PAGE_LENGTH = 50;
const CHOICES = 100;

export const groupsQuery = (orgId: string, page = 1) => {
  const query = { orgId, page, limit: PAGE_LENGTH };
  return queryOptions({
    queryKey: ['devices', 'groups', 'page', query],
    queryFn: ({ signal }) => ok(api.GET('/device-groups', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

/** The first hundred groups of an organisation, for names and choices. */
export const groupChoicesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['devices', 'groups', orgId],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/device-groups', { params: { query: { orgId, limit: CHOICES } }, signal }))).data,
  });

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'groups', 'one', id],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/device-groups/{id}', { params: { path: { id } }, signal }))).data,
  });

const createGroup = async (body: BodyOf<'/device-groups', 'post'>) =>
  (await ok(api.POST('/device-groups', { body }))).data;

const updateGroup = (id: string, body: BodyOf<'/device-groups/{id}', 'patch'>) =>
  ok(api.PATCH('/device-groups/{id}', { params: { path: { id } }, body }));

const deleteGroup = (id: string) => ok(api.DELETE('/device-groups/{id}', { params: { path: { id } } }));

export const addDevices = (id: string, deviceIds: readonly string[]) =>
  ok(api.POST('/device-groups/{id}/devices', { params: { path: { id } }, body: { deviceIds: [...deviceIds] } }));

export const removeDevices = (id: string, deviceIds: readonly string[]) =>
  ok(api.DELETE('/device-groups/{id}/devices', { params: { path: { id } }, body: { deviceIds: [...deviceIds] } }));

const CREATE = 'POST /device-groups';

function useFields(): readonly Field[] {
  const words = useTranslations('devices');
  return [
    { name: 'name', label: words('name'), ...inputLimits(CREATE, 'name') },
    { name: 'description', label: words('description'), kind: 'area', ...inputLimits(CREATE, 'description') },
  ];
}

/** Makes a group and opens it, to be filled. */
export function NewGroupButton({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('devices');
  const navigate = useNavigate();
  return (
    <FormButton
      label={words('newGroup')}
      needs={CREATE}
      fields={useFields()}
      changes={CHANGES}
      act={({ name, description }) =>
        createGroup({ orgId, name: String(name), ...(description && { description: String(description) }) })
      }
      onDone={({ id }) => void navigate({ to: '/devices/groups/$groupId', params: { groupId: id } })}
    />
  );
}

export function EditGroupButton({ group }: { readonly group: DeviceGroup }) {
  const words = useTranslations('devices');
  const initial = { name: group.name, description: group.description ?? '' };
  return (
    <FormButton
      label={words('edit')}
      title={words('editTitle', { name: group.name })}
      variant="default"
      needs="PATCH /device-groups/{id}"
      fields={useFields()}
      initial={initial}
      changes={CHANGES}
      act={(values) => updateGroup(group.id, changedValues(initial, values))}
    />
  );
}

export function DeleteGroupButton({ group: { id, name, orgId } }: { readonly group: DeviceGroup }) {
  const words = useTranslations('devices');
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={words('deleteGroup')}
      title={words('deleteGroupTitle', { name })}
      needs="DELETE /device-groups/{id}"
      name={name}
      changes={[]}
      act={() => deleteGroup(id)}
      onDone={() => void navigate({ to: '/devices/groups', search: { org: orgId } })}
    >
      {words('deleteGroupText')}
    </ConfirmButton>
  );
}
