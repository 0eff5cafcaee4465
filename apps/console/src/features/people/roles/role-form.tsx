import { Input, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import type { Permission, Role } from '../queries.ts';
import { PermissionMatrix } from './permission-matrix.tsx';

/** A role while it is being edited. */
export interface RoleDraft {
  readonly name: string;
  readonly axis: Role['axis'];
  readonly permissions: readonly Permission[];
}

export const draftOf = ({ name, axis, permissions }: RoleDraft): RoleDraft => ({ name, axis, permissions });

const sorted = (permissions: readonly Permission[]): string => [...new Set(permissions)].toSorted().join(' ');

/** What a draft changes in a role. */
export function changesOf(role: RoleDraft, draft: RoleDraft): { name?: string; permissions?: Permission[] } {
  return {
    ...(draft.name !== role.name && { name: draft.name }),
    ...(sorted(draft.permissions) !== sorted(role.permissions) && { permissions: [...draft.permissions] }),
  };
}

/** The members that two people may both have changed; the order of permissions says nothing. */
export const membersOf = ({ name, permissions }: RoleDraft) => ({ name, permissions: sorted(permissions).split(' ') });

/** Whether the roles differ in a right. */
export const differs = (held: readonly boolean[]): boolean => new Set(held).size > 1;

interface RoleFormProps {
  readonly draft: RoleDraft;
  readonly action: string;
  readonly saving: boolean;
  readonly error: unknown;
  /** Fields between the name and the permissions. */
  readonly children?: ReactNode;
  readonly onChange: (draft: RoleDraft) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Name and permissions of a role. */
export function RoleForm({ draft, action, saving, error, children, onChange, onSave, onCancel }: RoleFormProps) {
  const words = useTranslations('people');
  const errors = fieldErrors(error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Stack className="gh-card">
        <TextInput
          label={words('name')}
          {...inputLimits('POST /roles', 'name')}
          maw={480}
          value={draft.name}
          error={errors['name']}
          onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        />
        {children}
        <Input.Wrapper
          label={words('permissions')}
          labelElement="div"
          withAsterisk
          description={words('permissionsText')}
        >
          <PermissionMatrix
            value={draft.permissions}
            error={errors['permissions']}
            onChange={(permissions) => onChange({ ...draft, permissions })}
          />
        </Input.Wrapper>
        <Refusal error={error} />
        <FormActions label={action} saving={saving} disabled={draft.permissions.length === 0} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
