import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { organizationQuery } from '../../../ui/place/queries.ts';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import type { Membership } from '../queries.ts';
import { type Kind, useNames } from './places.ts';

const MAX_NAMED = 5;

/** "Oslo, Bergen and 3 more", or their number where the names cannot be read. */
function useNamed(kind: Kind, ids: readonly string[]): string {
  const words = useTranslations('people.places');
  const format = useFormatter();
  const names = useNames(kind, ids, MAX_NAMED).map(({ name }) => name);
  if (names.length === 0) return words(`count.${kind}`, { count: ids.length });
  const others = ids.length - names.length;
  return format.list(others > 0 ? [...names, words('others', { count: others })] : names);
}

function OrganizationReach({ orgId, siteIds }: { readonly orgId: string; readonly siteIds: readonly string[] }) {
  const words = useTranslations('people.reach');
  const { scope } = useMe();
  const enabled = useCan()('GET /orgs');
  const name = useQuery({ ...organizationQuery(orgId, scope), enabled }).data?.name ?? '';
  const sites = useNamed('sites', siteIds);
  return siteIds.length > 0 ? words('sites', { name, sites }) : words('organization', { name });
}

function PartnerReach({ orgAccess, orgIds }: Pick<Membership, 'orgAccess' | 'orgIds'>) {
  const words = useTranslations('people.reach');
  const names = useNamed('organizations', orgIds);
  return orgAccess === 'selected' ? words('selected', { names }) : words(orgAccess);
}

/** How far a membership reaches, with the names of the places. */
export function Reach({ membership }: { readonly membership: Membership }) {
  const words = useTranslations('people.reach');
  const { scope, orgId } = membership;
  if (scope === 'system') return words('system');
  if (orgId !== null) return <OrganizationReach orgId={orgId} siteIds={membership.siteIds} />;
  return <PartnerReach {...membership} />;
}

/** How far a membership reaches, in a row of a list. */
function ShortReach({ scope, orgId, orgAccess, orgIds, siteIds }: Membership) {
  const words = useTranslations('people.shortReach');
  if (orgId !== null) {
    return (
      <>
        <PlaceName level="organization" id={orgId} />
        {siteIds.length > 0 && `: ${words('sites', { count: siteIds.length })}`}
      </>
    );
  }
  if (scope === 'system') return words('system');
  return orgAccess === 'selected' ? words('selected', { count: orgIds.length }) : words(orgAccess);
}

/** Role and reach of each membership. */
export function Access({ memberships }: { readonly memberships: readonly Membership[] }) {
  return memberships.map((membership) => (
    <div key={membership.id}>
      {membership.roleName}
      <Text size="xs" c="dimmed">
        <ShortReach {...membership} />
      </Text>
    </div>
  ));
}
