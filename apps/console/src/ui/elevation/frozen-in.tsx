import { type DataOf, ok } from '@gatehouse/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';

type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

export const organizationNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['organizations', 'one', id, 'name'],
    queryFn: async ({ signal }) =>
      (await ok(api.GET('/orgs/organizations/{id}', { params: { path: { id } }, signal }))).name,
  });

/** The organisation of a frozen site or device, because several organisations have a site of the same name. */
export function FrozenIn({ freeze: { level, orgId } }: { readonly freeze: Freeze }) {
  const { scope } = useMe();
  const isAsked = orgId !== null && level !== 'organization' && scope !== 'organization';
  const name = useQuery({ ...organizationNameQuery(orgId ?? ''), enabled: isAsked }).data;
  return isAsked && name ? ` (${name})` : null;
}
