import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { id as reference } from '../../../shell/search.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { SignOnPage } from '../parts/sign-on-page.tsx';
import { type Attempt, attemptsQuery, RESULTS } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/sign-on/attempts');
export const RESULT_COLORS = { success: 'green', parked: 'yellow', refused: 'red' } as const;

function useColumns(): readonly Column<Attempt>[] {
  const words = useTranslations('signOn');
  return [
    {
      id: 'when',
      header: words('attempts.when'),
      cell: ({ id, createdAt }) => (
        <Link to="/sign-on/attempts/$attemptId" params={{ attemptId: id }} data-open>
          <Instant at={createdAt} />
        </Link>
      ),
    },
    {
      id: 'who',
      header: words('attempts.who'),
      cell: ({ email }) => (email ? shownAddress(email) : words('attempts.noAddress')),
    },
    {
      id: 'result',
      header: words('attempts.result'),
      cell: ({ result }) => <Badge color={RESULT_COLORS[result]}>{words(`attempts.results.${result}`)}</Badge>,
    },
    { id: 'reason', header: words('attempts.reason'), cell: ({ code }) => code && words(`rejections.${code}`) },
    { id: 'kind', header: words('attempts.kind'), cell: ({ kind }) => words(`attempts.kinds.${kind}`) },
    { id: 'provider', header: words('attempts.provider'), cell: ({ providerName }) => providerName },
  ];
}

/** Sign-ins through identity providers, to find the one whose reference or address a person tells. */
export function SignInAttempts() {
  const words = useTranslations('signOn');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const orgId = useOrg();
  const { provider: providerId, result, email, page } = search;
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const find = (sought: string | undefined) => {
    const attemptId = reference(sought ?? '');
    if (attemptId) void navigate({ to: '/sign-on/attempts/$attemptId', params: { attemptId } });
    else change({ email: sought });
  };
  const isFiltered = Boolean(providerId ?? result ?? email);
  const clear = () => change({ provider: undefined, result: undefined, email: undefined });
  return (
    <SignOnPage title={words('attempts.title')}>
      <Text className="gh-hint">{words('attempts.findText')}</Text>
      <FilterBar>
        <SearchFilter value={email} onChange={find} />
        <ChoiceFilter
          name={words('attempts.result')}
          value={result}
          choices={RESULTS.map((value) => ({ value, label: words(`attempts.results.${value}`) }))}
          onChange={(next) => change({ result: next })}
        />
      </FilterBar>
      <ListView
        query={useQuery(attemptsQuery({ orgId, providerId, result, email, page }))}
        rows={({ data }) => data}
        empty={{
          title: words('attempts.none'),
          text: words('attempts.noneText'),
          clear: isFiltered ? clear : undefined,
        }}
        onPage={(next) => void navigate({ search: { ...search, page: next } })}
      >
        {(data) => <DataTable label={words('attempts.title')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </SignOnPage>
  );
}
