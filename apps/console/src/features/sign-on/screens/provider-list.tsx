import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { needsAttention } from '../../../ui/attention.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { HeldRows } from '../../../ui/lists/held-rows.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import type { Provider } from '../model.ts';
import { DaysLeft } from '../parts/certificates.tsx';
import { SignOnPage } from '../parts/sign-on-page.tsx';
import { providersQuery, SCOPES } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/sign-on');
export const COLORS = { inactive: 'gray', testing: 'yellow', active: 'green' } as const;

function useColumns(): readonly Column<Provider>[] {
  const words = useTranslations('signOn');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ id, name }) => (
        <Link to="/sign-on/$providerId" params={{ providerId: id }} data-open>
          {name}
        </Link>
      ),
    },
    { id: 'type', header: words('type'), cell: ({ type }) => words(`types.${type}`) },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status }) => <Badge color={COLORS[status]}>{words(`statuses.${status}`)}</Badge>,
    },
    {
      id: 'enforcement',
      header: words('enforcement'),
      cell: ({ enforcement }) => words(`stages.${enforcement.stage}`),
    },
    {
      id: 'certificate',
      header: words('certificateColumn'),
      cell: ({ certificates, clientSecretExpiresAt }) => (
        <>
          {certificates.map(({ sha256, notAfter }) => (
            <DaysLeft key={sha256} notAfter={notAfter} />
          ))}
          {clientSecretExpiresAt && <DaysLeft notAfter={clientSecretExpiresAt} />}
        </>
      ),
    },
    {
      id: 'warnings',
      header: words('warnings'),
      cell: ({ warnings }) => warnings.map(({ detail }) => detail).join(' '),
    },
  ];
}

function ConnectButton() {
  const words = useTranslations('signOn');
  const { org } = route.useSearch();
  if (!useCan()('POST /sso/providers')) return null;
  return (
    <Button component={Link} to="/sign-on/new" search={{ org } as never}>
      {words('connect')}
    </Button>
  );
}

type Search = ReturnType<typeof route.useSearch>;

function Filters({ scope }: { readonly scope: (typeof SCOPES)[number] }) {
  const words = useTranslations('signOn');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<Search>) => void navigate({ search: { ...search, ...next } });
  const hasScopes = useMe().scope === 'partner' && !search.attention;
  return (
    <FilterBar>
      {hasScopes && (
        <ChoiceFilter
          name={words('scope')}
          value={scope}
          choices={SCOPES.map((value) => ({ value, label: words(`scopes.${value}`) }))}
          onChange={(next) => change({ scope: next })}
        />
      )}
      <ChoiceFilter
        name={words('warnings')}
        value={search.attention && 'attention'}
        choices={[{ value: 'attention', label: words('attention') }]}
        onChange={(next) => change({ attention: next && true })}
      />
    </FilterBar>
  );
}

const careOf = ({ data }: { readonly data: Provider[] }): Provider[] =>
  data.filter((one) => needsAttention(one, serverNow()));

/** The identity providers of the chosen organisation or of the partner, or all in reach that need attention. */
export function ProviderList() {
  const words = useTranslations('signOn');
  const { attention, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const { orgId: ownOrg, scope: level } = useMe();
  const orgId = ownOrg ?? search.org;
  // Operators, who have no providers of their own, see those of all organisations.
  const scope =
    level === 'system' ? 'organization' : (search.scope ?? (orgId === undefined ? 'partner' : 'organization'));
  const own = { scope, ...(orgId && scope === 'organization' && { orgId }) };
  const query = attention ? { ...providersQuery({ ...(orgId && { orgId }) }), select: careOf } : providersQuery(own);
  const clear = attention && (() => void navigate({ search }));
  return (
    <SignOnPage title={words('title')} actions={<ConnectButton />}>
      <Filters scope={scope} />
      <QueryView query={useQuery(query)}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} clear={clear} />
          ) : (
            <>
              {scope === 'organization' && orgId && (
                <CopyText label={words('signInAddress')} text={`${location.origin}/login?org=${orgId}`} />
              )}
              <HeldRows of="providers" rows={providers} question={JSON.stringify([own, attention])}>
                {(rows) => <DataTable label={words('title')} columns={columns} rows={rows} idOf={({ id }) => id} />}
              </HeldRows>
            </>
          )
        }
      </QueryView>
    </SignOnPage>
  );
}
