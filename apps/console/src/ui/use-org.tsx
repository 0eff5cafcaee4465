import { Stack, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { getQuery } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { lazyPart } from './later/lazy-part.ts';

/** The organisation of the thing that the page shows: null for a thing of none, undefined for a list. */
let shown: string | null | undefined;
const listeners = new Set<() => void>();

function show(orgId: typeof shown): void {
  shown = orgId;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Lets the header and dialogs name the organisation of the thing that a page shows. */
export const useShownOrg = (orgId: typeof shown): void =>
  useEffect(() => {
    show(orgId);
    return () => show(undefined);
  }, [orgId]);

const useSearchedOrg = (): string | undefined => {
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  return typeof search['org'] === 'string' ? search['org'] : undefined;
};

/** The organisation of the page's thing, and the one that the page is about: else that to which it is narrowed. */
export function usePageOrg() {
  const { orgId } = useParams({ strict: false });
  const stored = useSyncExternalStore(subscribe, () => shown);
  const searched = useSearchedOrg();
  const own = orgId ?? stored;
  return { own: own ?? undefined, org: own === undefined ? searched : (own ?? undefined) };
}

/** The organisation of the address, or the caller's own; undefined while a partner's caller has chosen none. */
export function useOrg(): string | undefined {
  const { orgId } = useMe();
  const searched = useSearchedOrg();
  return orgId ?? searched;
}

/** The partner that an operator has chosen, in the address; undefined for all others, who have one. */
export function useChosenPartner(): string | undefined {
  const { scope } = useMe();
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  return scope === 'system' && typeof search['partner'] === 'string' ? search['partner'] : undefined;
}

/** Loaded for operators. */
const PartnerSelect = lazyPart(async () => ({ default: (await import('./place/partner-select.tsx')).PartnerSelect }));

/** What belongs to a partner: operators choose in the address whose it is. */
export function OfPartner({ children }: { readonly children: ReactNode }) {
  const words = useTranslations('ui');
  const { scope } = useMe();
  const partner = useChosenPartner();
  const navigate = useNavigate();
  const present = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  if (scope !== 'system') return children;
  const choose = (next: string | null) =>
    void navigate({ to: '.', search: { ...present, page: undefined, partner: next ?? undefined } as never });
  return (
    <Stack>
      <Suspense fallback={null}>
        <PartnerSelect maw={360} value={partner ?? null} onChange={choose} />
      </Suspense>
      {partner ? children : <Text size="sm">{words('choosePartner')}</Text>}
    </Stack>
  );
}

/** Whether it is known whose things of a partner are meant. */
export function useIsPartnerKnown(): boolean {
  const { scope } = useMe();
  const partner = useChosenPartner();
  return scope !== 'system' || partner !== undefined;
}

/** The name of the page's organisation, as the switcher has read it. */
export function useOrgName(): string | undefined {
  const { membership } = useMe();
  const path = { id: usePageOrg().org ?? '' };
  const known = useQuery({ ...getQuery('organizations', '/orgs/organizations/{id}', { path }), enabled: false });
  return membership.orgName ?? known.data?.name;
}

export interface Owned {
  readonly partnerId?: string | null;
}

/** Tells operators the partner of each organisation; all others know theirs. */
export function usePartnerOf(organizations: readonly Owned[]): (organization: Owned) => string | undefined {
  const enabled = useMe().scope === 'system';
  const ids = [...new Set(organizations.flatMap(({ partnerId }) => partnerId ?? []))];
  const partnerOf = (id: string) => getQuery('system', '/orgs/partners/{id}', { path: { id }, enabled });
  const partners = useQueries({ queries: ids.map(partnerOf) });
  return ({ partnerId }) => partners.find(({ data }) => data?.id === partnerId)?.data?.name;
}

interface Named extends Owned {
  readonly name: string;
  readonly slug?: string;
}

/** Names the entries of a list so that they can be told apart: by partner, and two of one name by their short names. */
export function useLabelOf(organizations: readonly Named[]): (organization: Named) => string {
  const partnerOf = usePartnerOf(organizations);
  return (one) => {
    const alike = organizations.filter(({ name, partnerId }) => name === one.name && partnerId === one.partnerId);
    return [one.name, partnerOf(one), alike.length > 1 && one.slug].filter(Boolean).join(' · ');
  };
}

/** The name of the organisation to which something belongs. */
export function useNameOf(orgId: string | null | undefined): string | undefined {
  const { scope, membership } = useMe();
  const query = getQuery('organizations', '/orgs/organizations/{id}', { path: { id: orgId ?? '' } });
  const { data } = useQuery({ ...query, enabled: Boolean(orgId) && scope !== 'organization' });
  return orgId ? (data?.name ?? membership.orgName ?? undefined) : undefined;
}

/** `thing · organisation · Gatehouse`; a thing that is named after its organisation names it once. */
export const documentTitle = (thing: string, organization: string | undefined): string =>
  [thing, thing.includes(organization ?? '') ? undefined : organization, 'Gatehouse'].filter(Boolean).join(' · ');
