import { callerOf, NOWHERE, type Principal, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Placement, placementOf, requireReach } from './placement.ts';

describe('a membership', () => {
  it('never opens what its giver does not reach', () => {
    fc.assert(
      fc.property(caller, wish, (giver, input) => {
        let placement: Placement;
        try {
          placement = placementOf(giver, input, (org) => ORGS[org] ?? null);
          requireReach(giver, placement);
        } catch (error) {
          expect(error).toBeInstanceOf(ProblemError);
          return;
        }
        expect(opens(placement).filter((place) => !reaches(giver, place))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

const PARTNERS = ['p1', 'p2'];
const ORGS: Record<string, string> = { o1: 'p1', o2: 'p1', o3: 'p2' };
const SITES = ['s1', 's2'];

const caller: fc.Arbitrary<UserCaller> = fc
  .record({
    level: fc.constantFrom('system', 'partner', 'organization'),
    partnerId: fc.constantFrom(...PARTNERS),
    orgs: fc.subarray(['o1', 'o2', 'o3']),
    allOrgs: fc.boolean(),
    orgId: fc.constantFrom(...Object.keys(ORGS)),
    sites: fc.option(fc.subarray(SITES, { minLength: 1 })),
  })
  .map(({ level, partnerId, orgs, allOrgs, orgId, sites }) => {
    const base = {
      kind: 'user',
      id: 'u',
      userId: 'u',
      sessionId: 's',
      name: 'n',
      email: 'n@example.test',
      label: null,
      membershipId: 'm',
      confined: false,
      providerId: null,
      expiresAt: null,
      permissions: ['*'],
      mfa: true,
      partnerActive: true,
    } as const;
    const place = {
      system: { level: 'system', partnerId: null, orgId: null, orgs: 'all', sites: 'all' },
      partner: { level: 'partner', partnerId, orgId: null, orgs: allOrgs ? 'all' : orgs, sites: 'all' },
      organization: {
        level: 'organization',
        partnerId: ORGS[orgId] ?? '',
        orgId,
        orgs: [orgId],
        sites: sites ?? 'all',
      },
    } as const;
    return callerOf({ ...base, ...place[level as keyof typeof place] } as Principal, NOWHERE);
  });

const wish = fc.record({
  scope: fc.constantFrom('system' as const, 'partner' as const, 'organization' as const),
  partnerId: fc.option(fc.constantFrom(...PARTNERS), { nil: undefined }),
  orgId: fc.option(fc.constantFrom(...Object.keys(ORGS)), { nil: undefined }),
  roleId: fc.constant('r'),
  orgAccess: fc.option(fc.constantFrom('all' as const, 'selected' as const, 'none' as const), { nil: undefined }),
  orgIds: fc.option(fc.subarray(Object.keys(ORGS)), { nil: undefined }),
  siteIds: fc.option(fc.subarray(SITES), { nil: undefined }),
});

/**
 * What a placement opens: every (partner, organisation, site) that the person would reach; a null organisation is the
 * partner itself.
 */
function opens({ level, partnerId, orgId, orgAccess, orgIds, siteIds }: Placement): string[] {
  const orgsOf = (wanted: (org: string) => boolean): string[] =>
    Object.keys(ORGS)
      .filter(wanted)
      .flatMap((org) => SITES.map((site) => `${ORGS[org]}/${org}/${site}`));
  if (level === 'system') return ['system', ...orgsOf(() => true)];
  if (level === 'partner')
    return [
      `${partnerId}`,
      ...orgsOf((org) =>
        orgAccess === 'all' ? ORGS[org] === partnerId : orgAccess === 'selected' && orgIds.includes(org),
      ),
    ];
  return (siteIds.length > 0 ? siteIds : SITES).map((site) => `${partnerId}/${orgId}/${site}`);
}

function reaches({ level, partnerId, scope }: UserCaller, place: string): boolean {
  if (level === 'system') return true;
  const [partner, org, site] = place.split('/');
  if (partner !== partnerId) return false;
  if (org === undefined || site === undefined) return level === 'partner';
  return (scope.orgs === 'all' || scope.orgs.has(org)) && (scope.sites === 'all' || scope.sites.has(site));
}
