import { Badge, Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { createRole, deleteRole, type Permission, type Role, rolesQuery } from '../queries.ts';
import '../words.ts';

const PERMISSIONS: readonly Permission[] = [
  'organizations:read',
  'organizations:write',
  'sites:read',
  'sites:write',
  'devices:read',
  'devices:write',
  'devices:execute',
  'users:read',
  'users:write',
  'audit:read',
  'audit:export',
  'scripts:read',
  'scripts:write',
  'tools:request',
];

/** The permissions that the signed-in person holds and can therefore give. */
function useGrantable(): readonly Permission[] {
  const { permissions } = useMe();
  return permissions.includes('*') ? PERMISSIONS : PERMISSIONS.filter((one) => permissions.includes(one));
}

function RoleForm({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('people');
  const { scope, orgId } = useMe();
  const [name, setName] = useState('');
  const [axis, setAxis] = useState<Role['axis']>(scope === 'organization' ? 'organization' : 'partner');
  const [permissions, setPermissions] = useState<string[]>([]);
  const grantable = useGrantable();
  const act = useAct(['people'], createRole);
  const owner = scope === 'organization' ? { orgId } : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({ name, axis, ...owner, permissions: permissions as Permission[] }, { onSuccess: onClose });
      }}
    >
      <Stack>
        <TextInput
          label={words('name')}
          {...inputLimits('POST /roles', 'name')}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Choice
          label={words('axis')}
          data={(['partner', 'organization'] as const).map((value) => ({ value, label: words(`axes.${value}`) }))}
          value={axis}
          disabled={scope === 'organization'}
          onChange={(value) => value && setAxis(value)}
        />
        <Checkbox.Group label={words('permissions')} value={permissions} onChange={setPermissions}>
          <SimpleGrid cols={2} mt="xs" spacing="xs">
            {grantable.map((permission) => (
              <Checkbox key={permission} value={permission} label={permission} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Refusal error={act.error} />
        <FormActions label={words('newRole')} saving={act.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function useColumns(): readonly Column<Role>[] {
  const words = useTranslations('people');
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    { id: 'axis', header: words('axis'), cell: ({ axis }) => words(`axes.${axis}`) },
    {
      id: 'permissions',
      header: words('permissions'),
      cell: ({ permissions }) => (
        <Group gap={4}>
          {permissions.map((one) => (
            <Text key={one} size="xs" ff="monospace">
              {one}
            </Text>
          ))}
        </Group>
      ),
    },
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      cell: ({ id, name, system }) =>
        system ? (
          <Badge size="sm" variant="light" tt="none" color="gray" className="gh-status">
            {words('system')}
          </Badge>
        ) : (
          <ConfirmButton
            label={words('deleteRole')}
            title={words('deleteRoleTitle', { name })}
            size="xs"
            needs="DELETE /roles/{id}"
            changes={['people']}
            act={() => deleteRole(id)}
          >
            {words('deleteRoleText')}
          </ConfirmButton>
        ),
    },
  ];
}

/** The roles that can be given here. */
export function RoleList() {
  const words = useTranslations('people');
  const [opened, dialog] = useDisclosure(false);
  const columns = useColumns();
  return (
    <Page
      title={words('rolesTitle')}
      actions={useCan()('POST /roles') && <Button onClick={dialog.open}>{words('newRole')}</Button>}
    >
      <QueryView query={useQuery(rolesQuery)}>
        {(roles) => <DataTable label={words('rolesTitle')} columns={columns} rows={roles} idOf={({ id }) => id} />}
      </QueryView>
      <Dialog title={words('newRole')} opened={opened} onClose={dialog.close}>
        <RoleForm onClose={dialog.close} />
      </Dialog>
    </Page>
  );
}
