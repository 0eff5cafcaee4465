import { Badge, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../api/client.ts';
import { activeQuery } from '../../ui/elevation/active.ts';
import type { Counted } from '../navigation.ts';

const MAX_SHOWN = 99;

interface Place {
  readonly org?: string;
  readonly site?: string;
}

/** The name begins with that of the feature, so that the same events make both stale. */
const waitingQuery = ({ org, site }: Place) =>
  getQuery('approvals', '/pam/elevation-requests', {
    query: { status: ['pending'], limit: 1, orgId: org, siteId: site },
    select: ({ pagination }) => pagination.total,
    staleTime: 0,
  });

const useWaiting = (place: Place) => useQuery(waitingQuery(place)).data;
const useActive = ({ org }: Place) =>
  useQuery({ ...activeQuery({ ...(org && { org }) }), select: ({ active }) => active.length }).data;

function Shown({ count, of }: { readonly count: number | undefined; readonly of: Counted }) {
  const words = useTranslations('shell.counts');
  if (!count) return null;
  return (
    <Badge className="gh-status gh-nav-count">
      <span aria-hidden>{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
      <VisuallyHidden>{words(of, { count })}</VisuallyHidden>
    </Badge>
  );
}

const Waiting = ({ place }: { readonly place: Place }) => <Shown of="waiting" count={useWaiting(place)} />;
const Active = ({ place }: { readonly place: Place }) => <Shown of="active" count={useActive(place)} />;

/** How many there are in the place that the lists are narrowed to, as fresh as the lists; nothing for none. */
export const NavCount = ({ of, place }: { readonly of: Counted; readonly place: Place }) =>
  of === 'waiting' ? <Waiting place={place} /> : <Active place={place} />;
