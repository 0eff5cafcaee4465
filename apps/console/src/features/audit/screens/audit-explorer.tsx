import { Badge, Button, Collapse, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ActorName, ActSentence, useSentences } from '../../../ui/audit/sentence.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, ErrorView, LoadingView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { actionsSaying, type AuditEntry, type AuditFilter, newerThan } from '../model.ts';
import { ChainBar } from '../parts/chain-bar.tsx';
import { EntryFacts } from '../parts/entry-facts.tsx';
import { Filters, Narrowed } from '../parts/filters.tsx';
import { entriesQuery, newestQuery } from '../queries.ts';

const route = getRouteApi('/audit');
const COLORS = { success: 'green', failure: 'orange', denied: 'red' } as const;

/** One entry; a press opens everything that it holds. */
function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const words = useTranslations('audit');
  const { org, from, to } = route.useSearch();
  const [opened, setOpened] = useState(false);
  return (
    <li className="gh-audit-row">
      <UnstyledButton aria-expanded={opened} onClick={() => setOpened(!opened)} className="gh-audit-line">
        <Text span size="sm" c="dimmed">
          <Instant at={entry.timestamp} absolute />
        </Text>
        <Text span size="sm" fw={600}>
          <ActorName actor={entry.actor} />
        </Text>
        <Text span size="sm">
          <ActSentence entry={entry} />
        </Text>
        <Badge color={COLORS[entry.result]}>{words(`results.${entry.result}`)}</Badge>
      </UnstyledButton>
      <Collapse expanded={opened}>{opened && <EntryFacts entry={entry} place={{ org, from, to }} />}</Collapse>
    </li>
  );
}

interface NewerProps {
  readonly filter: AuditFilter;
  readonly entries: readonly AuditEntry[];
  /** Whether the newest entries have left the screen. */
  readonly isDeep: boolean;
}

/** Entries that came in since are shown on demand, so that no row moves. */
function Newer({ filter, entries, isDeep }: NewerProps) {
  const words = useTranslations('audit');
  const queryClient = useQueryClient();
  const newest = useQuery(newestQuery(filter)).data;
  const count = newest && !isDeep ? newerThan(entries, newest.data) : 0;
  const show = () =>
    newest && queryClient.setQueryData(entriesQuery(filter).queryKey, { pages: [newest], pageParams: [null] });
  if (!isDeep && count === 0) return null;
  const text = count === newest?.data.length ? words('moreNewer', { count }) : words('newer', { count });
  return (
    <Button variant="light" onClick={show}>
      {isDeep ? words('toNewest') : text}
    </Button>
  );
}

function Older({ query }: { readonly query: ReturnType<typeof useEntries> }) {
  const words = useTranslations('audit');
  return query.hasNextPage ? (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {words('older')}
    </Button>
  ) : (
    <Text className="gh-hint">{words('end')}</Text>
  );
}

/** What the address narrows the log to, and the same with the acts that its text speaks of. */
function useFilter() {
  const { chain: _chain, ...search } = route.useSearch();
  const sentences = useSentences();
  return { search, filter: search.q ? { ...search, said: actionsSaying(search.q, sentences) } : search };
}

const useEntries = (filter: AuditFilter) => useInfiniteQuery(entriesQuery(filter));

function Entries() {
  const words = useTranslations('audit');
  const { search, filter } = useFilter();
  const navigate = route.useNavigate();
  const query = useEntries(filter);
  if (query.isError) return <ErrorView error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <LoadingView />;
  const entries = query.data.pages.flatMap(({ data }) => data);
  const { org, site, ...filters } = search;
  const clear = () => void navigate({ search: { org, site } });
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  // A page may be empty although older entries match.
  const isEmpty = entries.length === 0 && !query.hasNextPage;
  return (
    <>
      <Narrowed entries={entries} />
      <Newer filter={filter} entries={entries} isDeep={query.data.pageParams[0] !== null} />
      {isEmpty ? (
        <EmptyView title={words('none')} clear={isNarrowed ? clear : undefined} />
      ) : (
        <>
          <ul className="gh-audit">
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </ul>
          <Older query={query} />
        </>
      )}
    </>
  );
}

/** The audit log: who did what to which thing, with the proof that nothing is missing. */
export function AuditExplorer() {
  const words = useTranslations('audit');
  const { chain } = route.useSearch();
  const { search, filter } = useFilter();
  const navigate = route.useNavigate();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Page title={words('title')}>
      <Filters />
      <ChainBar
        key={chain}
        filter={filter}
        chain={chain}
        onChain={(next) => void navigate({ search: { ...search, chain: next }, replace: true })}
      />
      <Stack gap="sm">
        <Entries />
        <Text size="xs" c="dimmed">
          {words('zone', { zone: timeZone })}
        </Text>
      </Stack>
    </Page>
  );
}
