import { skipToken, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';

/** The organisation of the address, or the caller's own; undefined while a partner's caller has chosen none. */
export function useOrg(): string | undefined {
  const { orgId } = useMe();
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  return orgId ?? (typeof search['org'] === 'string' ? search['org'] : undefined);
}

/** The name of that organisation, once the switcher has read it; nothing is read for it here. */
export function useOrgName(): string | undefined {
  const { membership } = useMe();
  const known = useQuery<{ readonly name: string }>({
    queryKey: ['organizations', 'switcher', 'one', useOrg()],
    queryFn: skipToken,
  });
  return membership.orgName ?? known.data?.name;
}

/** `thing · organisation · Gatehouse`; a thing that is named after its organisation names it once. */
export const documentTitle = (thing: string, organization: string | undefined): string =>
  [thing, thing.includes(organization ?? '') ? undefined : organization, 'Gatehouse'].filter(Boolean).join(' · ');
