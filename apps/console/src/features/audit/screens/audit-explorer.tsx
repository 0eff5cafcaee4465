import { Badge, Button, Collapse, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, ErrorView, LoadingView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type AuditEntry, readable, RESULTS } from '../model.ts';
import { ChainBar } from '../parts/chain-bar.tsx';
import { EntryFacts } from '../parts/entry-facts.tsx';
import { entriesQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/audit');
const DEBOUNCE_MS = 250;
const COLORS = { success: 'green', failure: 'orange', denied: 'red' } as const;

function Filters() {
  const words = useTranslations('audit');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<typeof search>) => void navigate({ search: { ...search, ...next }, replace: true });
  const changeAction = useDebouncedCallback((action: string) => change({ action: action || undefined }), DEBOUNCE_MS);
  return (
    <FilterBar>
      <SearchFilter value={search.q} onChange={(q) => change({ q })} />
      <TextInput
        aria-label={words('action')}
        placeholder={words('action')}
        defaultValue={search.action ?? ''}
        onChange={({ currentTarget }) => changeAction(currentTarget.value.trim())}
      />
      <ChoiceFilter
        name={words('result')}
        value={search.result}
        choices={RESULTS.map((value) => ({ value, label: words(`results.${value}`) }))}
        onChange={(result) => change({ result })}
      />
    </FilterBar>
  );
}

/** One entry; a press opens everything that it holds. */
function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const words = useTranslations('audit');
  const [opened, setOpened] = useState(false);
  return (
    <li className="gh-audit-row">
      <UnstyledButton aria-expanded={opened} onClick={() => setOpened(!opened)} className="gh-audit-line">
        <Text span size="sm" c="dimmed">
          <Instant at={entry.timestamp} absolute />
        </Text>
        <Text span size="sm" fw={600}>
          {entry.actor.name ?? words(`actors.${entry.actor.type}`)}
        </Text>
        <Text span size="sm">
          {readable(entry.action)}
        </Text>
        <Text span size="sm" className="gh-data">
          {entry.resource.name ?? entry.resource.type}
        </Text>
        <Badge size="sm" variant="light" tt="none" color={COLORS[entry.result]} className="gh-status">
          {words(`results.${entry.result}`)}
        </Badge>
      </UnstyledButton>
      <Collapse expanded={opened}>{opened && <EntryFacts entry={entry} />}</Collapse>
    </li>
  );
}

function Entries() {
  const words = useTranslations('audit');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(entriesQuery(search));
  if (query.isError) return <ErrorView error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <LoadingView />;
  const entries = query.data.pages.flatMap(({ data }) => data);
  const { org, site, ...filters } = search;
  const clear = () => void navigate({ search: { org, site } });
  // A page may be empty although older entries match.
  if (entries.length === 0 && !query.hasNextPage)
    return <EmptyView title={words('none')} clear={Object.keys(filters).length > 0 ? clear : undefined} />;
  return (
    <>
      <ul className="gh-audit">
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words('older')}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {words('end')}
        </Text>
      )}
    </>
  );
}

/** The audit log: who did what to which thing, with the proof that nothing is missing. */
export function AuditExplorer() {
  const words = useTranslations('audit');
  const search = route.useSearch();
  return (
    <Page title={words('title')}>
      <Filters />
      <ChainBar filter={search} />
      <Stack gap="sm">
        <Entries />
      </Stack>
    </Page>
  );
}
