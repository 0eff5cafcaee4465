import '../../../ui/elevation/words.ts';
import { Badge, Button, Text } from '@mantine/core';
import { hashKey, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useReducer, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { serverNow } from '../../../api/browser.ts';
import { changePreferences, usePreferences } from '../../../shell/preferences.ts';
import { type ElevationRequest, FLOWS } from '../../../ui/elevation/request.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { useOrigin, useReturn } from '../../../ui/elevation/lists/origin.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import type { Pagination } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { afterDeciding, afterReading, type Edges, EMPTY, type Queue, withArrived } from '../model.ts';
import { QueueList } from '../parts/queue-list.tsx';
import { FLAGS, QUEUE_SORTS, queueQuery } from '../queries.ts';

interface Read {
  /** What was asked for: the rows of another question are no rows of this one. */
  readonly asked: string;
  readonly list: readonly ElevationRequest[];
  readonly edges: Edges;
}

type Step =
  ({ readonly kind: 'read' } & Read) | { readonly kind: 'decided'; readonly id: string } | { readonly kind: 'show' };

type Shown = Queue & { readonly asked?: string };

function reduce(queue: Shown, step: Step): Shown {
  if (step.kind === 'show') return { ...queue, ...withArrived(queue) };
  if (step.kind === 'decided') return afterDeciding(queue, step.id, serverNow());
  const { asked, list, edges } = step;
  return { ...afterReading(asked === queue.asked ? queue : EMPTY, list, serverNow(), edges), asked };
}

const SWEEP_MS = 1000;

/** The queue on screen: it follows the server without moving a row. */
function useQueue(filter: Parameters<typeof queueQuery>[0]) {
  const question = queueQuery(filter);
  const asked = hashKey(question.queryKey);
  const query = useQuery(question);
  const { data } = query;
  const read = useMemo((): Read | undefined => {
    if (!data) return undefined;
    const { page, limit, total } = data.pagination;
    return { asked, list: data.requests, edges: { first: page === 1, last: page * limit >= total } };
  }, [data, asked]);
  // What is known already stands in the first paint.
  const [queue, step] = useReducer(reduce, EMPTY as Shown, (none) =>
    read ? reduce(none, { kind: 'read', ...read }) : none,
  );
  const [, sweep] = useState(0);
  useEffect(() => {
    if (read) step({ kind: 'read', ...read });
  }, [read]);
  const settled = queue.rows.some(({ settledAt }) => settledAt !== null);
  useEffect(() => {
    if (!settled || !read) return undefined;
    const timer = setInterval(() => {
      step({ kind: 'read', ...read });
      sweep((count) => count + 1);
    }, SWEEP_MS);
    return () => clearInterval(timer);
  }, [settled, read]);
  return {
    query,
    // Until the rows of another question have come, none is shown.
    queue: queue.asked === asked ? queue : EMPTY,
    total: data?.pagination.total ?? 0,
    show: () => step({ kind: 'show' }),
    decided: (id: string) => step({ kind: 'decided', id }),
  };
}

const route = getRouteApi('/approvals');

/** Few queues have more than one page. */
const Pager = lazyPart(async () => ({ default: (await import('../../../ui/lists/data-table.tsx')).Pager }));
const NoRows = lazyPart(async () => ({ default: (await import('../../../ui/lists/list-view.tsx')).NoRows }));

/** Loaded beside the queue, which does not wait for it. */
const FreezeMark = lazyPart(async () => ({
  default: (await import('../../../ui/elevation/freeze-banner.tsx')).FreezeMark,
}));

const Views = lazyPart(async () => ({ default: (await import('../parts/views.tsx')).Views }));

/** Until the menu is there, its button cannot be pressed in vain. */
function ViewsMenu() {
  const words = useTranslations('approvals.views');
  const place = (
    <Button variant="default" disabled>
      {words('title')}
    </Button>
  );
  return (
    <Suspense fallback={place}>
      <Views />
    </Suspense>
  );
}

function Filters() {
  const words = useTranslations('approvals');
  const flagWords = useTranslations('elevation.flags');
  const flowWords = useTranslations('elevation.flow');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { groupIdentical } = usePreferences();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <FilterBar>
      <SearchFilter value={search.q} onChange={(q) => change({ q })} />
      <ChoiceFilter
        name={words('flow')}
        value={search.flow}
        choices={FLOWS.map((value) => ({ value, label: flowWords(value) }))}
        onChange={(flow) => change({ flow })}
      />
      <ChoiceFilter
        name={words('risk')}
        value={search.flag}
        choices={FLAGS.map((value) => ({ value, label: flagWords(value) }))}
        onChange={(flag) => change({ flag })}
      />
      <Choice
        aria-label={words('sort')}
        data={QUEUE_SORTS.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        value={search.sort ?? QUEUE_SORTS[0]}
        onChange={(sort) => change({ sort: sort === QUEUE_SORTS[0] || sort === null ? undefined : sort })}
        w={200}
      />
      <Button
        variant={groupIdentical ? 'light' : 'default'}
        aria-pressed={groupIdentical}
        onClick={() => changePreferences({ groupIdentical: !groupIdentical })}
      >
        {words('group')}
      </Button>
      <ViewsMenu />
      {search.device && (
        <Button variant="light" onClick={() => change({ device: undefined })}>
          {words('everyDevice')}
        </Button>
      )}
    </FilterBar>
  );
}

interface NoRequestsProps {
  readonly pagination: Pagination;
  readonly clear: (() => void) | undefined;
  readonly onPage: (page: number) => void;
}

function NoRequests({ pagination, clear, onPage }: NoRequestsProps) {
  const words = useTranslations('approvals');
  const empty = { title: words('none'), text: words('noneText'), clear };
  if (pagination.page === 1) return <EmptyView {...empty} />;
  return (
    <Suspense fallback={null}>
      <NoRows {...{ pagination, empty, onPage }} />
    </Suspense>
  );
}

/** What waits for a decision, live. */
export function ApprovalQueue() {
  const words = useTranslations('approvals');
  const elevationWords = useTranslations('elevation');
  const mayDecide = useCan()('POST /pam/elevation-requests/{id}/respond');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, queue, total, show, decided } = useQueue(search);
  const origin = useOrigin(queueQuery(search));
  useReturn();
  const clear = () => void navigate({ search: { org: search.org, site: search.site } });
  const toPage = (page: number) => void navigate({ search: { ...search, page } });
  const { q, flow, flag, device } = search;
  const filtered = [q, flow, flag, device].some((one) => one !== undefined);
  return (
    <Page
      title={words('title')}
      aside={
        <Badge size="md" role="status">
          {words(filtered ? 'matching' : 'waiting', { count: total })}
        </Badge>
      }
      actions={
        <Suspense fallback={null}>
          <FreezeMark org={search.org} />
        </Suspense>
      }
    >
      <Filters />
      {!mayDecide && <Text className="gh-hint">{elevationWords('needsPermission')}</Text>}
      <QueryView query={query}>
        {({ pagination }) => (
          <>
            <QueueList
              {...{ queue, show, decided, origin }}
              empty={<NoRequests {...{ pagination }} clear={filtered ? clear : undefined} onPage={toPage} />}
            />
            {pagination.total > pagination.limit && (
              <Suspense fallback={null}>
                <Pager pagination={pagination} onPage={toPage} />
              </Suspense>
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}
