import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { PoliciesPage } from '../parts/policies-page.tsx';
import { policiesQuery, type Policy } from '../queries.ts';

const route = getRouteApi('/rules/software-policies');

/** The level of a target, and what it is called. */
function Target({ target: { level, id } }: Pick<Policy, 'target'>) {
  const words = useTranslations('softwarePolicies');
  if (level === 'partner') return words('levels.partner');
  return (
    <>
      {words(`levels.${level}`)}: <PlaceName level={level} id={id} />
    </>
  );
}

function useColumns(org: string): readonly Column<Policy>[] {
  const words = useTranslations('softwarePolicies');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/rules/software-policies/$policyId" params={{ policyId: id }} search={{ org }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'mode', header: words('mode'), cell: ({ mode }) => words(`modes.${mode}`) },
    { id: 'target', header: words('target'), cell: ({ target }) => <Target target={target} /> },
    { id: 'priority', header: words('priority'), cell: ({ priority }) => priority },
    { id: 'entries', header: words('entries'), cell: ({ rules }) => rules.length },
    {
      id: 'state',
      header: words('state'),
      cell: ({ enabled }) => <Badge color={enabled ? 'green' : 'gray'}>{words(enabled ? 'on' : 'off')}</Badge>,
    },
  ];
}

function OrganizationPolicies({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('softwarePolicies');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns(orgId);
  const query = useQuery(policiesQuery(orgId, search.page));
  return (
    <ListView
      query={query}
      rows={({ softwarePolicies }) => softwarePolicies}
      empty={{ title: words('none'), text: words('noneText') }}
      onPage={(page) => void navigate({ search: { ...search, page } })}
      held={{ of: 'policies', question: JSON.stringify([orgId, search.page, query.isPlaceholderData]) }}
    >
      {(rows) => <DataTable label={words('title')} columns={columns} rows={rows} idOf={({ id }) => id} />}
    </ListView>
  );
}

/** The software policies that apply in one organisation. */
export const PolicyList = () => <PoliciesPage>{(orgId) => <OrganizationPolicies orgId={orgId} />}</PoliciesPage>;
