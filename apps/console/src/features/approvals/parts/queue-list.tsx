import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useListKeys } from '../../../shell/list-keys.ts';
import { usePreferences } from '../../../shell/preferences.ts';
import type { Origin } from '../../../ui/elevation/lists/origin.ts';
import { useOpened } from '../../../ui/elevation/justification.ts';
import { needsCare } from '../../../ui/elevation/request.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { useDeferredRows } from '../../../ui/lists/deferred-rows.ts';
import { Arrived } from '../../../ui/lists/filter-bar.tsx';
import { identicalRows, type Queue, type QueueRow } from '../model.ts';
import { useApprovalProblems } from './approvable.ts';
import type { Verb } from './bulk-bar.tsx';
import { QueueGroup, waitingOf } from './queue-group.tsx';
import { QueueRowView } from './queue-row.tsx';

/** Loaded when something is selected; it stays to tell what became of a decision on many. */
const BulkBar = lazyPart(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

function Bulk({ requests, onDone, ...dialog }: ComponentProps<typeof BulkBar>) {
  const [used, setUsed] = useState(false);
  if (requests.length === 0 && !used) return null;
  const finish = (left: ReadonlySet<string>) => {
    setUsed(true);
    onDone(left);
  };
  return (
    <Suspense fallback={null}>
      <BulkBar {...dialog} requests={requests} onDone={finish} />
    </Suspense>
  );
}

/** `r` makes a rule from a request, for those who may write rules. */
function useRuleKey(): ((rows: Rows) => void) | null {
  const navigate = useNavigate();
  if (!useCan()('POST /pam/rules')) return null;
  return ([{ request }]) =>
    void navigate({ to: '/orgs/$orgId/rules/new', params: { orgId: request.orgId }, search: { from: request.id } });
}

function KeysHint() {
  const words = useTranslations('approvals');
  const can = useCan();
  const decides = can('POST /pam/elevation-requests/{id}/respond') ? 'yes' : 'no';
  const rules = can('POST /pam/rules') ? 'yes' : 'no';
  return (
    <Text size="xs" c="dimmed" visibleFrom="sm" className="gh-keys">
      {words('keys', { decides, rules })}
    </Text>
  );
}

/** The keys, and what has arrived. */
function Above({ queue, show }: Pick<QueueListProps, 'queue' | 'show'>) {
  const words = useTranslations('approvals');
  const count = queue.arrived.length;
  return (
    <>
      {queue.rows.length > 0 && <KeysHint />}
      <Arrived {...{ count, show }} text={words('arrived', { count })} />
    </>
  );
}

interface QueueListProps {
  readonly queue: Queue;
  readonly show: () => void;
  readonly decided: (id: string) => void;
  readonly origin: Origin;
  /** Stands in the place of the rows while there is none. */
  readonly empty: ReactNode;
}

type Asked = { readonly id: string; readonly decision: Verb } | null;
type Rows = readonly [QueueRow, ...QueueRow[]];

/** A row of the list: a request, or the head of identical ones. */
interface Entry {
  readonly id: string;
  readonly kind: 'single' | 'group' | 'member';
  readonly rows: Rows;
  readonly opened: boolean;
}

/** The queue as it stands on screen, and what opens a group. A group is known by any of its requests. */
function useEntries(rows: readonly QueueRow[]) {
  const { groupIdentical } = usePreferences();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const groups = useDeferredRows(groupIdentical ? identicalRows(rows) : rows.map((row): Rows => [row]));
  const isOpened = (group: Rows) => group.some(({ request }) => opened.has(request.id));
  const entries = groups.flatMap((group): Entry[] => {
    const kind = group.length > 1 ? 'member' : 'single';
    const each = group.map((row): Entry => ({ id: row.request.id, kind, rows: [row], opened: false }));
    if (kind === 'single') return each;
    const head = { id: `${group[0].request.id}-group`, kind: 'group' as const, rows: group, opened: isOpened(group) };
    return head.opened ? [head, ...each] : [head];
  });
  const open = (group: Rows) => {
    const ids = group.map(({ request }) => request.id);
    const others = [...opened].filter((id) => !ids.includes(id));
    setOpened(new Set(isOpened(group) ? others : [...others, ...ids]));
  };
  return { entries, open };
}

/**
 * What is selected, and the decision on it that a dialog asks about.
 * @param grouped what can be decided without being selected
 */
function useSelection(rows: readonly QueueRow[], grouped: readonly QueueRow[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [verb, setVerb] = useState<Verb | null>(null);
  const requests = waitingOf(rows).filter(({ id }) => selected.has(id));
  const problemOf = useApprovalProblems([...waitingOf(grouped), ...requests]);
  const toggle = (some: readonly QueueRow[]) => {
    const ids = waitingOf(some).map(({ id }) => id);
    const others = [...selected].filter((id) => !ids.includes(id));
    setSelected(new Set(ids.every((id) => selected.has(id)) ? others : [...others, ...ids]));
  };
  /** Decides these, and nothing that was selected before. */
  const decide = (some: readonly QueueRow[], on: Verb) => {
    const open = waitingOf(some).filter((request) => on === 'deny' || problemOf(request) === null);
    if (open.length === 0 || (on === 'approve' && open.every(needsCare))) return;
    setSelected(new Set(open.map(({ id }) => id)));
    setVerb(on);
  };
  return { selected, toggle, decide, bulk: { requests, problemOf, verb, setVerb, onDone: setSelected } };
}

interface QueueActs {
  readonly x?: (rows: Rows) => void;
  readonly ask: (rows: Rows, verb: Verb) => void;
}

/** The keys of the list, which act on the row that has the focus or on all of its group. */
function useQueueKeys(list: RefObject<HTMLUListElement | null>, entries: readonly Entry[], { x, ask }: QueueActs) {
  const ruleOf = useRuleKey();
  const onRows = (act: (rows: Rows) => void) => (id: string) => {
    const entry = entries.find((one) => one.id === id);
    if (entry) act(entry.rows);
  };
  const ids = entries.map(({ id }) => id);
  const keys = useListKeys(list, ids, {
    ...(ruleOf && { r: onRows(ruleOf) }),
    ...(x && { x: onRows(x) }),
    a: onRows((rows) => ask(rows, 'approve')),
    d: onRows((rows) => ask(rows, 'deny')),
  });
  // What a dialog asks is read before a key opens it, so that no key that follows is taken for one of the list.
  useOpened(false, entries.find(({ id }) => id === keys.current)?.rows[0].request.orgId ?? null);
  return keys;
}

/** The row whose dialog a key has opened, and the focus after its decision. */
function useAnswers(list: RefObject<HTMLUListElement | null>, decided: (id: string) => void) {
  const [asked, setAsked] = useState<Asked>(null);
  const finish = (id: string) => {
    decided(id);
    const row = list.current?.querySelector(`[data-request="${id}"]`);
    const held = document.activeElement?.closest('main [data-request], main input');
    // The button that was pressed goes, and the focus with it: it stays in the row, unless its reader has gone on.
    if (!held || held === row) row?.querySelector<HTMLElement>('[data-open]')?.focus({ preventScroll: true });
  };
  return { asked, setAsked, finish };
}

/** The rows, with their keys and the decision on many. */
export function QueueList({ queue, show, decided, origin, empty }: QueueListProps) {
  const list = useRef<HTMLUListElement>(null);
  const { entries, open } = useEntries(queue.rows);
  const grouped = entries.flatMap(({ kind, rows }) => (kind === 'group' ? rows : []));
  const { selected, toggle, decide, bulk } = useSelection(queue.rows, grouped);
  const { asked, setAsked, finish } = useAnswers(list, decided);
  const maySelect = useCan()('POST /pam/elevation-requests/{id}/respond');
  const ask = (rows: Rows, verb: Verb) =>
    rows.length > 1 ? maySelect && decide(rows, verb) : setAsked({ id: rows[0].request.id, decision: verb });
  const keys = useQueueKeys(list, entries, { ...(maySelect && { x: toggle }), ask });
  const shared = ({ id, rows }: Entry) => ({
    current: keys.current === id,
    onFocus: () => keys.setCurrent(id),
    onSelect: maySelect ? () => toggle(rows) : undefined,
  });
  const showGroup = (entry: Entry) => (
    <QueueGroup
      key={entry.id}
      {...shared(entry)}
      {...entry}
      selected={selected}
      problemOf={bulk.problemOf}
      onOpen={() => open(entry.rows)}
      onDecide={maySelect ? (verb) => decide(entry.rows, verb) : undefined}
    />
  );
  const showRow = (entry: Entry) => (
    <QueueRowView
      key={entry.id}
      {...shared(entry)}
      row={entry.rows[0]}
      origin={origin}
      member={entry.kind === 'member'}
      selected={selected.has(entry.id)}
      asked={asked?.id === entry.id ? asked.decision : null}
      onAnswered={() => setAsked(null)}
      onDecided={() => finish(entry.id)}
    />
  );
  return (
    <Stack gap="xs">
      <Above {...{ queue, show }} />
      {queue.rows.length === 0 && empty}
      <ul className="gh-queue" ref={list} onKeyDown={keys.onKeyDown} hidden={queue.rows.length === 0}>
        {entries.map((entry) => (entry.kind === 'group' ? showGroup(entry) : showRow(entry)))}
      </ul>
      <Bulk {...bulk} />
    </Stack>
  );
}
