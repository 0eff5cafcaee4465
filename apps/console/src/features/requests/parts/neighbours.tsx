import { ActionIcon, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { parseSearch } from '../../../shell/search.ts';
import { type Origin, rememberShown } from '../../../ui/elevation/lists/origin.ts';
import { type ElevationRequest, requestPageQuery } from '../../../ui/elevation/request.ts';
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.tsx';

const NONE: readonly ElevationRequest[] = [];

const pageOf = ({ query }: Origin): number => query.page ?? 1;

/** The same list at another page. */
function atPage(origin: Origin, page: number): Origin {
  if (page === pageOf(origin)) return origin;
  const { pathname, searchParams } = new URL(origin.list, location.origin);
  searchParams.set('page', String(page));
  return { ...origin, list: `${pathname}?${searchParams}`, query: { ...origin.query, page } };
}

const NO_PAGE = { requests: NONE, pagination: { limit: 0, total: 0 } };

function usePage(origin: Origin, page: number, isWanted = true) {
  const { feature, query } = atPage(origin, page);
  const { data = NO_PAGE } = useQuery({ ...requestPageQuery(feature, query), enabled: isWanted });
  return isWanted ? data : NO_PAGE;
}

/** A request beside this one, and the page that lists it. */
interface Step {
  readonly id: string;
  readonly origin: Origin;
}

const stepTo = (row: ElevationRequest | undefined, origin: Origin): Step | null =>
  row ? { id: row.id, origin } : null;

/** The rows of the list in which the request stands, and its place there; it is NaN where it never stood. */
function useRows(rows: readonly ElevationRequest[], id: string) {
  const [held, hold] = useState(NONE);
  const isListed = rows.some((row) => row.id === id);
  // What is decided leaves its list, and keeps the place that it had.
  if (isListed && held !== rows) hold(rows);
  const shown = isListed ? rows : held;
  const at = shown.findIndex((row) => row.id === id);
  return { shown, isListed, at: at === -1 ? Number.NaN : at };
}

function useSteps(origin: Origin, id: string) {
  const page = pageOf(origin);
  const { requests, pagination } = usePage(origin, page);
  const { limit, total } = pagination;
  const { shown, isListed, at } = useRows(requests, id);
  const before = usePage(origin, page - 1, at === 0 && page > 1).requests;
  const after = usePage(origin, page + 1, at === shown.length - 1 && page * limit < total).requests;
  return {
    previous: stepTo(shown[at - 1], origin) ?? stepTo(before.at(-1), atPage(origin, page - 1)),
    next: stepTo(shown[at + 1], origin) ?? stepTo(after[0], atPage(origin, page + 1)),
    place: isListed ? { at: (page - 1) * limit + at + 1, total } : null,
  };
}

interface ArrowProps {
  readonly label: string;
  readonly icon: typeof IconChevronLeft;
  readonly step: Step | null;
}

/** Back leads from any of them to the list. */
function Arrow({ label, icon: Icon, step }: ArrowProps) {
  const look = { variant: 'default', size: 'lg', 'aria-label': label } as const;
  if (!step)
    return (
      <ActionIcon {...look} disabled>
        <Icon size={16} />
      </ActionIcon>
    );
  const target = { to: '/requests/$requestId', params: { requestId: step.id }, state: step.origin, replace: true };
  return (
    <ActionIcon {...look} component={Link} {...(target as object)}>
      <Icon size={16} />
    </ActionIcon>
  );
}

function Bar({ id, origin }: { readonly id: string; readonly origin: Origin }) {
  const words = useTranslations('requests.list');
  const { previous, next, place } = useSteps(origin, id);
  useEffect(() => rememberShown(origin.entry, id), [origin.entry, id]);
  const { pathname, search } = new URL(origin.list, location.origin);
  const at = place ? id : (next?.id ?? previous?.id ?? id);
  return (
    <Group justify="space-between" component="nav" aria-label={words('title')}>
      <Link to={pathname as '/approvals'} search={parseSearch(search) as never} state={{ at }}>
        {words('back', { list: pathname === '/approvals' ? 'approvals' : 'requests' })}
      </Link>
      <Group gap="xs">
        <Arrow label={words('previous')} icon={IconChevronLeft} step={previous} />
        {place && <Text size="sm">{words('place', place)}</Text>}
        <Arrow label={words('next')} icon={IconChevronRight} step={next} />
      </Group>
    </Group>
  );
}

/** The way back to the list from which a request was opened, and to the requests beside it there. */
export function Neighbours({ id }: { readonly id: string }) {
  const { list, feature, query, entry } = useLocation({ select: ({ state }) => state });
  if (list === undefined || feature === undefined || query === undefined) return null;
  return <Bar id={id} origin={{ list, feature, query, entry }} />;
}
