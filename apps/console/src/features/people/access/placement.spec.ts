import { fits, levelsOf, membershipOf, moveTo, placementFor, placementOf } from './placement.ts';

describe('a placement', () => {
  it('begins at the whole partner, or at the organisation that the list is narrowed to', () => {
    const whole = { ...placementFor(partner, {}), roleId: 'r' };
    expect(membershipOf(whole)).toEqual({ scope: 'partner', partnerId: 'p', roleId: 'r', orgAccess: 'all' });
    const narrowed = { ...placementFor(partner, { orgId: 'o' }), roleId: 'r' };
    expect(membershipOf(narrowed)).toEqual({ scope: 'organization', orgId: 'o', roleId: 'r', siteIds: [] });
  });

  it('begins confined when the caller is', () => {
    const confined = { ...organization, membership: { orgAccess: 'all' as const, siteIds: ['s'] } };
    expect(placementFor(confined, {})).toMatchObject({ level: 'organization', orgId: 'o', confined: true });
  });

  it('is incomplete without a role, an organisation or a site that it needs', () => {
    expect(membershipOf(placementFor(partner, {}))).toBeNull();
    const selected = { ...placementFor(partner, {}), roleId: 'r', orgAccess: 'selected' as const };
    expect(membershipOf(selected)).toBeNull();
    expect(membershipOf({ ...selected, orgIds: ['o'] })).toMatchObject({ orgIds: ['o'] });
    const site = { ...placementFor(organization, { siteId: 's' }), roleId: 'r' };
    expect(membershipOf(site)).toMatchObject({ siteIds: ['s'] });
    expect(membershipOf({ ...site, siteIds: [] })).toBeNull();
  });

  it('loses its role with its level, and its sites with its organisation', () => {
    const site = { ...placementFor(organization, { siteId: 's' }), roleId: 'r' };
    expect(moveTo(site, { orgId: 'x' })).toMatchObject({ orgId: 'x', roleId: 'r', siteIds: [] });
    expect(moveTo(site, { level: 'partner' })).toMatchObject({ level: 'partner', roleId: null });
  });

  it('is read from a membership as it stands', () => {
    const place = { scope: 'organization' as const, partnerId: 'p', orgId: 'o', orgAccess: 'all' as const, orgIds: [] };
    const membership = { ...place, id: 'm', roleId: 'r', roleName: 'R', siteIds: ['s'] };
    expect(membershipOf(placementOf(membership))).toEqual({
      scope: 'organization',
      orgId: 'o',
      roleId: 'r',
      siteIds: ['s'],
    });
  });
});

describe('roles', () => {
  it('fit a level and an owner', () => {
    const inOrg = placementFor(partner, { orgId: 'o' });
    expect(fits(role, inOrg)).toBe(true);
    expect(fits({ ...role, partnerId: 'p', orgId: 'x' }, inOrg)).toBe(false);
    expect(fits({ ...role, axis: 'partner' }, inOrg)).toBe(false);
    expect(fits({ ...role, axis: 'partner', partnerId: 'other' }, placementFor(partner, {}))).toBe(false);
  });

  it('are given at the own level and below', () => {
    expect(levelsOf(partner)).toEqual(['partner', 'organization']);
    expect(levelsOf(organization)).toEqual(['organization']);
  });
});

const partner = {
  scope: 'partner' as const,
  partnerId: 'p',
  orgId: null,
  membership: { orgAccess: 'all' as const, siteIds: [] },
};
const organization = { ...partner, scope: 'organization' as const, orgId: 'o' };
const role = { axis: 'organization' as const, partnerId: null, orgId: null };
