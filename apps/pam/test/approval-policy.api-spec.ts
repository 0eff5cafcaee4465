import { DeviceGroupChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const LEVEL = { name: 'servers', approvals: 2, pendingMinutes: 60 };

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('the approval policy', () => {
  it('asks for one approval within the time of the installation until it is set', async () => {
    expect(await read()).toEqual({
      orgId: acme.orgId,
      levels: [],
      default: { approvals: 1, pendingMinutes: 15 },
      separation: { ruleEditors: false, aiRequester: false },
      version: 0,
    });
  });

  it('PAM-180 is refused where too few people could approve', async () => {
    await pam.technician(acme, { subscriptions: 0 });
    await pam.technician(acme, { level: 'system', partnerId: null, orgs: 'all', permissions: ['*'] });
    await pam.technician(acme, { active: false });
    await pam.technician(acme, { permissions: ['devices:read'] });
    await pam.technician(acme, { sites: [acme.siteId] });
    const refused = { status: 409, code: 'approvers_insufficient', level: 'servers', eligible: 2 };
    expect((await put({ levels: [LEVEL] })).body).toMatchObject(refused);
    expect((await put({ levels: [{ ...LEVEL, siteIds: [acme.otherSiteId] }] })).body).toMatchObject(refused);
    expect((await put({ levels: [], default: { approvals: 2 } })).body).toMatchObject({
      level: 'default',
      eligible: 2,
    });
    const few = [{ ...LEVEL, approvals: 3, siteIds: [acme.siteId] }];
    expect((await put({ levels: few })).body).toMatchObject({ ...refused, eligible: 3 });
    expect((await put({ levels: [{ ...LEVEL, siteIds: [acme.siteId] }] })).status).toBe(200);
    expect((await read()).version).toBe(1);
  });

  it('is replaced as a whole, with a new version of the rulebook and an audit entry', async () => {
    const groupId = newId();
    const { orgId, partnerId } = acme;
    await pam.service.deliver(DeviceGroupChanged, {
      groupId,
      orgId,
      partnerId,
      name: 'All',
      deleted: false,
      version: 1,
    });
    const before = await pam.rulebookVersion(acme);
    const levels = [
      { ...LEVEL, name: 'tier', approvals: 1, flowTypes: ['ai_tool_action'], riskTierMin: 3 },
      { ...LEVEL, name: 'group', approvals: 1, unsigned: true, deviceGroupIds: [groupId], siteIds: [] },
    ];
    const separation = { ruleEditors: true, aiRequester: true };
    const { body } = await put({ levels, default: { pendingMinutes: 120 }, separation });
    expect(body).toMatchObject({ success: true, approvalPolicy: { separation, version: 2 } });
    expect(body.approvalPolicy.levels[1]).toEqual({
      name: 'group',
      unsigned: true,
      deviceGroupIds: [groupId],
      approvals: 1,
      pendingMinutes: 60,
    });
    expect(await read()).toEqual(body.approvalPolicy);
    expect(await pam.rulebookVersion(acme)).toBe(before + 1);
    expect(await pam.service.audits('pam.approval_policy.update')).toContainEqual(
      expect.objectContaining({ orgId, result: 'success', details: expect.objectContaining({ version: 2 }) }),
    );
    expect((await put({ levels: [] })).body.approvalPolicy).toMatchObject({
      levels: [],
      default: { approvals: 1, pendingMinutes: 15 },
      separation: { ruleEditors: false },
    });
  });

  it.each([
    { levels: [{ ...LEVEL, approvals: 0 }] },
    { levels: [{ ...LEVEL, approvals: 6 }] },
    { levels: [{ ...LEVEL, pendingMinutes: 4 }] },
    { levels: [{ ...LEVEL, pendingMinutes: 1441 }] },
    { levels: [{ ...LEVEL, name: ' ' }] },
    { levels: [{ ...LEVEL, riskTierMin: 5 }] },
    { levels: [{ ...LEVEL, flowTypes: ['any'] }] },
    { levels: [{ ...LEVEL, siteId: 'x' }] },
    { levels: Array.from({ length: 21 }, () => LEVEL) },
    { levels: [], default: { approvals: 6 } },
    { levels: [], default: { pendingMinutes: 4 } },
    { levels: [], separation: { ruleEditors: 'yes' } },
    { levels: [], level: 3 },
  ])('refuses %j', async (body) => {
    expect((await put(body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('names sites and groups of its own organisation only', async () => {
    const sister = await pam.tenant(acme.partnerId);
    const foreign = await put({ levels: [{ ...LEVEL, approvals: 1, siteIds: [sister.siteId] }] });
    expect(foreign.body).toMatchObject({ status: 400, code: 'site_not_in_org' });
    const group = await put({ levels: [{ ...LEVEL, approvals: 1, deviceGroupIds: [newId()] }] });
    expect(group.body).toMatchObject({ status: 400, code: 'target_not_found' });
    expect((await put({ levels: [], orgId: sister.orgId })).body).toMatchObject({ code: 'organization_not_found' });
  });

  const admin = (): Client => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const put = (body: object) => admin().put('/pam/approval-policy').send(body);
  const read = async () => (await admin().get('/pam/approval-policy')).body.approvalPolicy;
});
