import type { DataOf } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { getQuery } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';

type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

export const organizationNameQuery = (id: string) =>
  getQuery('organizations', '/orgs/organizations/{id}', { path: { id }, select: ({ name }) => name });

/** The organisation of a frozen site or device, because several organisations have a site of the same name. */
export function FrozenIn({ freeze: { level, orgId } }: { readonly freeze: Freeze }) {
  const { scope } = useMe();
  const isAsked = orgId !== null && level !== 'organization' && scope !== 'organization';
  const name = useQuery({ ...organizationNameQuery(orgId ?? ''), enabled: isAsked }).data;
  return isAsked && name ? ` (${name})` : null;
}
