import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useCan, useIsPartnerWide, useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { useOrg, usePartnerOf } from '../../../ui/use-org.tsx';
import { isReading, lacking, rightsByArea } from '../access/rights.ts';
import { PeopleTabs } from '../parts/people-tabs.tsx';
import { CHANGES, deleteRole, type Role, useRoles } from '../queries.ts';
import '../words.ts';

const MAX_COMPARED = 4;

/** The areas that a role has rights in; those in which it changes nothing are told apart. */
function Areas({ permissions }: Pick<Role, 'permissions'>) {
  const words = useTranslations('people');
  const format = useFormatter();
  if (permissions.includes('*')) return words('rights.*');
  const areas = rightsByArea(permissions);
  const named = (some: typeof areas) => format.list(some.map(([area]) => words(`areas.${area}`)));
  const read = areas.filter(([, rights]) => rights.every(isReading));
  return (
    <>
      {named(areas.filter((area) => !read.includes(area)))}
      {read.length > 0 && <div>{words('onlyReads', { areas: named(read) })}</div>}
    </>
  );
}

function Acts({ role }: { readonly role: Role }) {
  const words = useTranslations('people');
  const { permissions } = useMe();
  const mayDelete = !role.system && lacking(permissions, role.permissions).length === 0;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button component={Link} to="/people/roles/new" search={{ from: role.id } as never} size="xs" variant="default">
        {words('copyRole')}
      </Button>
      {mayDelete && (
        <ConfirmButton
          label={words('deleteRole')}
          title={words('deleteRoleTitle', { name: role.name })}
          size="xs"
          needs="DELETE /roles/{id}"
          orgId={role.orgId}
          changes={CHANGES}
          act={() => deleteRole(role)}
        >
          {words('deleteRoleText')}
        </ConfirmButton>
      )}
    </Group>
  );
}

function useColumns(roles: readonly Role[]): readonly Column<Role>[] {
  const words = useTranslations('people');
  const partnerOf = usePartnerOf(roles);
  const ownerOf = (role: Role) => {
    if (role.system) return words('ownerOf.product');
    return role.orgId ? (
      <PlaceName level="organization" id={role.orgId} />
    ) : (
      (partnerOf(role) ?? words('ownerOf.partner'))
    );
  };
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/people/roles/$roleId" params={{ roleId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'axis', header: words('axis'), cell: ({ axis }) => words(`axes.${axis}`) },
    {
      id: 'owner',
      header: words('owner'),
      cell: ownerOf,
    },
    { id: 'permissions', header: words('permissions'), cell: (role) => <Areas permissions={role.permissions} /> },
    {
      id: 'people',
      header: words('title'),
      cell: ({ id, name }) => (
        <Link to="/people" search={{ role: id }} aria-label={words('peopleWith', { name })}>
          {words('show')}
        </Link>
      ),
    },
    { id: 'acts', header: words('acts'), bare: true, needs: 'POST /roles', cell: (role) => <Acts role={role} /> },
  ];
}

function Actions({ chosen }: { readonly chosen: ReadonlySet<string> }) {
  const words = useTranslations('people');
  const can = useCan();
  const org = useOrg();
  const { scope } = useMe();
  const mayOwn = useIsPartnerWide() || scope === 'system' || org !== undefined;
  const isFew = chosen.size > 1 && chosen.size <= MAX_COMPARED;
  return (
    <>
      {isFew && (
        <Button component={Link} to="/people/roles/compare" search={{ role: [...chosen] } as never} variant="default">
          {words('compare', { count: chosen.size })}
        </Button>
      )}
      {can('POST /roles') && mayOwn && (
        <Button component={Link} to="/people/roles/new" search={{ org } as never}>
          {words('newRole')}
        </Button>
      )}
    </>
  );
}

/** The roles that can be given here. */
export function RoleList() {
  const words = useTranslations('people');
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const query = useRoles();
  const columns = useColumns(query.data ?? []);
  return (
    <Page title={words('rolesTitle')} actions={<Actions chosen={chosen} />}>
      <PeopleTabs />
      <QueryView query={query}>
        {(roles) => (
          <DataTable
            label={words('rolesTitle')}
            columns={columns}
            rows={roles}
            idOf={({ id }) => id}
            selection={{ ids: chosen, change: choose }}
          />
        )}
      </QueryView>
    </Page>
  );
}
