import { Badge, Button, Group, Text } from '@mantine/core';
import { IconCheck } from '../../../ui/icons.tsx';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { PeopleTabs } from '../parts/people-tabs.tsx';
import { holds, type Right, RIGHTS } from '../access/rights.ts';
import { type Role, useRoles } from '../queries.ts';
import { differs } from '../roles/role-form.tsx';
import '../words.ts';

const route = getRouteApi('/people/roles/compare');

/** A right, marked where the roles differ in it. */
function RightName({ right, roles }: { readonly right: Right; readonly roles: readonly Role[] }) {
  const words = useTranslations('people');
  return (
    <Group gap="xs">
      <Text size="sm" ta="start">
        {words(`rights.${right}`)}
      </Text>
      {differs(roles.map(({ permissions }) => holds(permissions, right))) && (
        <Badge color="yellow" data-status>
          {words('differs')}
        </Badge>
      )}
    </Group>
  );
}

function Comparison({ roles }: { readonly roles: readonly Role[] }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const columns: readonly Column<Right>[] = [
    { id: 'right', header: words('permissions'), bare: true, cell: (right) => <RightName {...{ right, roles }} /> },
    ...roles.map(({ id, name, permissions }) => ({
      id,
      header: name,
      cell: (right: Right) =>
        holds(permissions, right) ? <IconCheck size={18} role="img" aria-label={uiWords('yes')} /> : uiWords('no'),
    })),
  ];
  return <DataTable label={words('compareTitle')} columns={columns} rows={RIGHTS} idOf={(right) => right} />;
}

/** The rights of some roles side by side. */
export function CompareRoles() {
  const words = useTranslations('people');
  const { role: ids = [] } = route.useSearch();
  return (
    <Page title={words('compareTitle')}>
      <PeopleTabs />
      <QueryView query={useRoles()}>
        {(roles) => {
          const chosen = roles.filter(({ id }) => ids.includes(id));
          return chosen.length > 1 ? (
            <Comparison roles={chosen} />
          ) : (
            <EmptyView
              title={words('compareText')}
              action={
                <Button component={Link} to="/people/roles" variant="light">
                  {words('rolesTitle')}
                </Button>
              }
            />
          );
        }}
      </QueryView>
    </Page>
  );
}
