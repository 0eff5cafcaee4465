import type { Permission } from '@gatehouse/contracts-core';
import type { MembershipRecord } from '@gatehouse/contracts-identity';
import type { Api } from '@gatehouse/stack';
import { type Authority, EVERYWHERE, type Geography, type Place } from './places.ts';

interface Me {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly membership: { readonly id: string };
  readonly signedInVia: string | null;
  readonly scope: 'system' | 'partner' | 'organization';
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly permissions: Permission[];
}

type Membership = Pick<MembershipRecord, 'scope' | 'partnerId' | 'orgId' | 'orgAccess' | 'orgIds' | 'siteIds'>;

export function reachOf({ scope, partnerId, orgId, orgAccess, orgIds, siteIds }: Membership): Place[] {
  if (scope === 'system') return [EVERYWHERE];
  if (scope === 'organization') return siteIds.length > 0 ? siteIds : [orgId ?? EVERYWHERE];
  if (orgAccess === 'all') return [partnerId ?? EVERYWHERE];
  return orgAccess === 'selected' ? orgIds : [];
}

/** For a session whose membership the operator does not find, its own answer counts. */
function ownWord({ scope, partnerId, orgId }: Me): Place[] {
  if (scope === 'system') return [EVERYWHERE];
  return [orgId ?? partnerId ?? EVERYWHERE];
}

/** What the product says of a session. */
export interface Standing extends Authority {
  readonly user: Me['user'];
  readonly membershipId: string;
  /** An identity provider opened the session. */
  readonly viaProvider: boolean;
}

/** The permissions and the reach of a session, read through public routes; null when it has ended. */
export async function standingOf(operator: Api, session: Api): Promise<Standing | null> {
  const { status, body } = await session.call('GET', '/auth/me');
  if (status === 401 || status === 403) return null;
  if (status !== 200) throw new Error(`a session could not be measured: ${status}`);
  const me = body as Partial<Me> as Me;
  const answer = await operator.call('GET', `/users/${me.user.id}`);
  const { memberships = [] } = (answer.body['data'] ?? {}) as { memberships?: Membership[] };
  const own = memberships.find(
    ({ scope, partnerId, orgId }) =>
      scope === me.scope &&
      (scope !== 'partner' || partnerId === me.partnerId) &&
      (scope !== 'organization' || orgId === me.orgId),
  );
  return {
    user: me.user,
    membershipId: me.membership.id,
    viaProvider: me.signedInVia === 'sso',
    permissions: me.permissions,
    reach: own ? reachOf(own) : ownWord(me),
  };
}

interface Row {
  readonly id: string;
  readonly orgId?: string;
  readonly siteId?: string;
}

/** The places whose things the product shows to a session. */
async function placesShown(session: Api): Promise<{ orgs: Place[]; sites: Place[] }> {
  const listed = async (path: string): Promise<Row[]> => {
    const { status, body } = await session.call('GET', path);
    return status === 200 ? (body['data'] as Row[]) : [];
  };
  const [orgs, sites, devices, contactsOf] = await Promise.all(
    ['/orgs', '/orgs/sites?limit=100', '/devices?limit=100', '/enrollment-keys?limit=100'].map(listed),
  );
  const below = [...(devices ?? []), ...(contactsOf ?? [])];
  return {
    orgs: [...(orgs ?? []).map(({ id }) => id), ...below.flatMap(({ orgId }) => orgId ?? [])],
    sites: [...(sites ?? []).map(({ id }) => id), ...below.flatMap(({ siteId }) => siteId ?? [])],
  };
}

/** The places shown to a session that none of the attackers reached before. */
export async function sightsBeyond(
  geography: Geography,
  before: readonly Authority[],
  session: Api,
): Promise<string[]> {
  const held = new Set(before.flatMap(({ reach }) => reach));
  const { orgs, sites } = await placesShown(session);
  const beyond = [
    ...orgs.filter((org) => !geography.within(org, held) && !geography.around(org, held)),
    ...sites.filter((site) => geography.knows(site) && !geography.within(site, held)),
  ];
  return [...new Set(beyond)].map((place) => `sees ${place}`);
}
