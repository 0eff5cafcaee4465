import { useRouterState } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';

/** The organisation of the address, or the caller's own; undefined while a partner's caller has chosen none. */
export function useOrg(): string | undefined {
  const { orgId } = useMe();
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> });
  return orgId ?? (typeof search['org'] === 'string' ? search['org'] : undefined);
}
