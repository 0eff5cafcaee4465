import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field } from '../../../ui/forms/fields.ts';
import { CHANGES, createGroup, deleteGroup, type DeviceGroup, updateGroup } from './queries.ts';

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
      action="create"
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
