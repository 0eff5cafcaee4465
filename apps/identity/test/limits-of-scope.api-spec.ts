import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { aPartnerAdmin, aSystemAdmin, type Client } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const orgId = await identity.org(partnerId);
const place = { partnerId, orgId, siteId: await identity.site(partnerId, orgId) };
afterAll(() => identity.stop());

describe('a limit that the scope does not have', () => {
  it('ATK-35i: is refused in a membership, because without it the person would reach more', async () => {
    const { orgId, siteId, partnerId } = place;
    const ofPartner = { scope: 'partner', roleId: roleId('Partner Viewer') };
    const ofOrganization = { scope: 'organization', orgId, roleId: roleId('Organization Viewer') };
    const cases: [object, string][] = [
      [{ ...ofPartner, siteIds: [siteId] }, 'membership.siteIds'],
      [{ ...ofPartner, orgId }, 'membership.orgId'],
      [{ ...ofOrganization, orgIds: [orgId] }, 'membership.orgIds'],
      [{ ...ofOrganization, orgAccess: 'none' }, 'membership.orgAccess'],
    ];
    for (const [membership, path] of cases) {
      expect(await invited(admin, membership)).toMatchObject({
        status: 400,
        code: 'validation_failed',
        issues: [{ path }],
      });
    }
    const everywhere = { scope: 'system', roleId: roleId('Partner Admin') };
    for (const limit of [{ partnerId }, { orgId }, { siteIds: [siteId] }]) {
      expect(await invited(identity.service.as(aSystemAdmin()), { ...everywhere, ...limit })).toMatchObject({
        status: 400,
      });
    }
    const elsewhere = { ...ofOrganization, partnerId: await identity.partner() };
    expect(await invited(identity.service.as(aSystemAdmin()), elsewhere)).toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
    expect((await admin.get('/users?search=limited')).body.data).toEqual([]);
  });

  it('ATK-35j: is refused in a role', async () => {
    const draft = { name: 'Limited', axis: 'partner', permissions: ['devices:read'], orgId: place.orgId };
    expect((await admin.post('/roles').send(draft)).body).toMatchObject({ status: 400, issues: [{ path: 'orgId' }] });
    expect((await admin.post('/roles').send({ ...draft, orgId: null })).status).toBe(201);
  });

  const invited = async (as: Client, membership: object) =>
    (await as.post('/users').send({ email: 'limited@example.test', name: 'Limited', membership })).body;
});

const roleId = (name: string): string | undefined => SYSTEM_ROLES.find((role) => role.name === name)?.id;
const admin = identity.service.as(aPartnerAdmin(partnerId));
