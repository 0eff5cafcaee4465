import { ApprovalPushRequested } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('approvals of elevation requests', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  it('are written only for technicians whom a push reaches and who may decide', async () => {
    const acme = await pam.tenant();
    const eligible = [
      await pam.technician(acme),
      await pam.technician(acme, { sites: [acme.siteId] }),
      await pam.technician(acme, { level: 'partner', orgs: 'all', permissions: ['*'] }),
      await pam.technician(acme, { level: 'partner', orgs: [acme.orgId], permissions: ['devices:execute'] }),
    ];
    await pam.technician(acme, { subscriptions: 0 });
    await pam.technician(acme, { active: false });
    await pam.technician(acme, { sites: [acme.otherSiteId] });
    await pam.technician(acme, { permissions: ['devices:read'] });
    await pam.technician(acme, { level: 'partner', orgs: [newId()] });
    await pam.technician(await pam.tenant());
    const id = await pam.request(acme);
    await pam.announce(acme, id);
    await pam.announce(acme, id);
    const pushes = (await pam.service.emitted(ApprovalPushRequested))
      .map(({ data }) => data)
      .filter(({ orgId }) => orgId === acme.orgId);
    expect(pushes.map(({ userId }) => userId).toSorted()).toEqual(eligible.map(({ userId }) => userId).toSorted());
    expect(JSON.stringify(pushes)).not.toMatch(/Setup|ann/);
  });

  it('PAM-45 let the first decision win; the siblings expire', async () => {
    const acme = await pam.tenant();
    const technicians = [await pam.technician(acme), await pam.technician(acme), await pam.technician(acme)];
    const id = await pam.request(acme);
    await pam.announce(acme, id);
    const approvals = await Promise.all(
      technicians.map(
        async (technician) => (await pam.as(technician).get('/approvals?status=pending')).body.approvals[0],
      ),
    );
    expect(approvals[0]).toMatchObject({
      elevationRequestId: id,
      status: 'pending',
      request: { id, deviceHostname: 'DESK-1' },
    });
    const answers = await Promise.all(
      technicians.map((technician, at) =>
        pam.as(technician).post(`/approvals/${approvals[at].id}/approve`).send({ durationMinutes: 5 }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'already_decided',
      finalStatus: 'approved',
    });
    const rows = await pam.service.sql<{ status: string }>(
      'SELECT status FROM approvals WHERE elevation_request_id = $1',
      [id],
    );
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['approved', 'expired', 'expired']);
    expect(
      (await pam.service.audits()).filter(({ resource, result }) => resource.id === id && result === 'success'),
    ).toHaveLength(1);
  });

  it('expire with a decision in the dashboard', async () => {
    const acme = await pam.tenant();
    const technician = await pam.technician(acme);
    const id = await pam.request(acme);
    await pam.announce(acme, id);
    await adminOf(acme).post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'deny' });
    const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
    expect(approval.status).toBe('expired');
    expect((await pam.as(technician).post(`/approvals/${approval.id}/deny`).send({})).body).toMatchObject({
      status: 409,
      code: 'already_decided',
      finalStatus: 'denied',
    });
  });

  it('are denied by a report, and stay secret to their technician', async () => {
    const acme = await pam.tenant();
    const [one, two] = [await pam.technician(acme), await pam.technician(acme)];
    const id = await pam.request(acme);
    await pam.announce(acme, id);
    const [approval] = (await pam.as(one).get('/approvals')).body.approvals;
    expect((await pam.as(two).get(`/approvals/${approval.id}`)).body.code).toBe('approval_not_found');
    expect((await pam.as(two).post(`/approvals/${approval.id}/approve`).send({})).status).toBe(404);
    expect(
      (
        await pam
          .as({ ...one, mfa: false })
          .post(`/approvals/${approval.id}/approve`)
          .send({})
      ).body.code,
    ).toBe('mfa_required');
    expect((await pam.as(one).post(`/approvals/${approval.id}/report-suspicious`).send({})).body).toEqual({
      success: true,
      id: approval.id,
      status: 'reported',
      votesGiven: 0,
      votesRequired: 1,
    });
    expect(await pam.statusOf(id)).toBe('denied');
  });

  it('are refused as decisions are, once the device stands at a site out of reach', async () => {
    const acme = await pam.tenant();
    const technician = await pam.technician(acme, { sites: [acme.siteId] });
    const id = await pam.request(acme);
    await pam.announce(acme, id);
    const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
    await pam.service.sql('UPDATE device_ref SET site_id = $2 WHERE device_id = $1', [acme.deviceId, acme.otherSiteId]);
    for (const answer of ['approve', 'deny', 'report-suspicious']) {
      expect((await pam.as(technician).post(`/approvals/${approval.id}/${answer}`).send({})).body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
      });
    }
    expect(await pam.statusOf(id)).toBe('pending');
  });

  it('are gone after their time', async () => {
    const acme = await pam.tenant();
    const technician = await pam.technician(acme);
    const id = await pam.request(acme, { pendingSeconds: 1 });
    await pam.announce(acme, id);
    const [approval] = (await pam.as(technician).get('/approvals')).body.approvals;
    await pam.service.sql(`UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = $1`, [approval.id]);
    expect((await pam.as(technician).post(`/approvals/${approval.id}/approve`).send({})).body).toMatchObject({
      status: 410,
      code: 'approval_expired',
    });
  });

  it('do not ask the technician who asks', async () => {
    const acme = await pam.tenant();
    const [asking, other] = [await pam.technician(acme), await pam.technician(acme)];
    const id = await pam.request(acme, { flowType: 'tech_jit_admin', requestedBy: asking.userId });
    await pam.announce(acme, id);
    expect(await pam.service.sql('SELECT user_id FROM approvals WHERE elevation_request_id = $1', [id])).toEqual([
      { user_id: other.userId },
    ]);
  });

  it('are not written for a request that is decided already', async () => {
    const acme = await pam.tenant();
    await pam.technician(acme);
    const id = await pam.request(acme, { status: 'denied' });
    await pam.announce(acme, id);
    expect(await pam.service.sql('SELECT FROM approvals WHERE elevation_request_id = $1', [id])).toEqual([]);
  });

  const adminOf = (tenant: Tenant) => pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId));
});
