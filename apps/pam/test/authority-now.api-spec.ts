import type { AuditAction, Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, anOrgTechnician, aPartnerTechnician } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type request from 'supertest';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('answers of authority', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let ann: Principal;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
    ann = await pam.technician(acme);
  });

  describe('to a call that is repeated under its idempotency key', () => {
    it('PAM-300 ATK-143 a submission is answered by the state of its request', async () => {
      await grants({ matchUser: ann.email });
      const send = sender('/pam/elevation-requests', { deviceId: acme.deviceId, reason: 'needed' });
      const { body: first } = await send();
      expect(first.status).toBe('auto_approved');
      expect((await send()).body).toEqual(first);
      await freeze();
      expect((await send()).body).toEqual({ ...first, status: 'pending' });
      await revoke(first.id);
      expect((await send()).body).toEqual({ ...first, status: 'revoked' });
    });

    it('PAM-300 ATK-143 a tool action is, and so is the reading of it', async () => {
      await grants({ matchToolName: 'run_script' });
      const send = sender('/pam/tool-actions', { deviceId: acme.deviceId, toolName: 'run_script', input: {} });
      const { body: first } = await send();
      expect(first.status).toBe('auto_approved');
      const read = async () => (await pam.as(ann).get(`/pam/tool-actions/${first.id}`)).body;
      await freeze();
      expect((await send()).body.status).toBe('pending');
      expect(await read()).toMatchObject({ status: 'pending', expiresAt: null });
      await revoke(first.id);
      expect((await send()).body).toEqual({ ...first, status: 'revoked' });
      expect((await read()).status).toBe('revoked');
    });

    it('PAM-300 ATK-143 an approval is, by whichever door it came', async () => {
      const ids = [await pam.request(acme), await pam.request(acme)] as const;
      await pam.announce(acme, ids[1]);
      const { approvals } = (await pam.as(ann).get('/approvals')).body;
      const card = approvals.find(
        ({ elevationRequestId }: { elevationRequestId: string }) => elevationRequestId === ids[1],
      );
      const doors = [
        sender(`/pam/elevation-requests/${ids[0]}/respond`, { decision: 'approve' }),
        sender(`/approvals/${card.id}/approve`, {}),
      ];
      for (const send of doors) expect((await send()).body).toMatchObject({ status: 'approved', votesGiven: 1 });
      for (const send of doors) expect((await send()).body).toMatchObject({ status: 'approved', votesGiven: 1 });
      for (const id of ids) await revoke(id);
      expect((await doors[0]!()).body).toMatchObject({ status: 'revoked', votesGiven: 1 });
      expect((await doors[1]!()).body).toMatchObject({ status: 'expired', votesGiven: 1 });
    });

    it('PAM-300 ATK-143 an actuation is refused once its elevation has ended', async () => {
      const elevationRequestId = await pam.request(acme, { status: 'approved' });
      const send = sender(`/devices/${acme.deviceId}/actuate-elevation`, { elevationRequestId });
      const { body: first } = await send();
      expect((await send()).body).toEqual(first);
      await revoke(elevationRequestId);
      expect((await send()).body).toMatchObject({ status: 409, code: 'wrong_status' });
    });
  });

  describe('about a prompt of the approver’s own account', () => {
    let id: string;
    beforeEach(async () => {
      ann = await pam.technician(acme, { email: 'ann.lee@corp.example' });
      id = await pam.request(acme);
    });

    it.each(['ann.lee@corp.example', 'CORP\\Ann.Lee', 'AzureAD\\ann.lee@corp.example'])(
      'PAM-303 ATK-144 refuses the approval of %s by the console and by the phone, and takes the denial',
      async (username) => {
        await subject(username);
        await pam.announce(acme, id);
        const [{ id: card }] = (await pam.as(ann).get('/approvals')).body.approvals;
        for (const refused of [await respond('approve'), await pam.as(ann).post(`/approvals/${card}/approve`).send({})])
          expect(refused.body).toMatchObject({ status: 403, code: 'self_approval_denied' });
        const { request } = (await pam.as(ann).get(`/pam/elevation-requests/${id}`)).body;
        expect(request.mayRespond).toEqual({ approve: 'self_approval_denied', deny: true });
        expect((await respond('deny')).body.status).toBe('denied');
      },
    );

    it.each(['ann.lee', 'OTHER\\ann.lee', 'CORP\\joann.lee'])(
      'PAM-303 takes that of %s, who may be another',
      async (name) => {
        await subject(name);
        expect((await respond('approve')).body.status).toBe('approved');
      },
    );

    it('PAM-303 takes that of others', async () => {
      await subject('CORP\\ann.lee');
      expect((await respond('approve', await pam.technician(acme))).body.status).toBe('approved');
    });

    it('PAM-303 lets an organisation allow it, with an entry in the audit log', async () => {
      await subject('CORP\\ann.lee');
      expect((await allow(true)).body.config).toMatchObject({ allowSelfApproval: true });
      expect((await pam.service.audits('pam.config.update')).at(-1)).toMatchObject({
        details: { allowSelfApproval: true },
      });
      expect(
        (await pam.as(ann).put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' })).body.config,
      ).toMatchObject({ allowSelfApproval: true });
      expect((await respond('approve')).body.status).toBe('approved');
    });

    const subject = (username: string) =>
      pam.service.sql('UPDATE elevation_requests SET subject_username = $2 WHERE id = $1', [id, username]);
    const respond = (decision: string, who = ann) =>
      pam.as(who).post(`/pam/elevation-requests/${id}/respond`).send({ decision });
    const allow = (allowSelfApproval: boolean) =>
      pam.as(ann).put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval', allowSelfApproval });
  });

  describe('with command lines and the input of tools', () => {
    let id: string;
    beforeEach(async () => {
      id = await pam.request(acme, { requestedBy: newId() });
      await pam.service.sql(
        `UPDATE elevation_requests SET command_line = $2, tool_name = 'x', tool_input = '{"a":1}', risk_tier = 1,
          action_digest = 'x' WHERE id = $1`,
        [id, SECRET],
      );
    });

    it('PAM-305 ATK-145 shows readers their length in details and lists', async () => {
      const rows = await shownTo(anOrgTechnician(acme.partnerId, acme.orgId, { permissions: ['devices:read'] }));
      expect(rows).toHaveLength(3);
      for (const row of rows) {
        expect(row).toMatchObject(hidden);
        expect(row).not.toHaveProperty('toolInput');
        expect(JSON.stringify(row)).not.toContain('4711');
      }
    });

    it('PAM-305 shows them to those who may write rules, to people who were asked, and to whose request it is', async () => {
      const readers = { permissions: ['devices:read', 'devices:execute'] as const };
      const asked = await pam.technician(acme, { permissions: [...readers.permissions] });
      await pam.announce(acme, id);
      const own = anOrgTechnician(acme.partnerId, acme.orgId, { permissions: ['devices:read'] });
      for (const who of [anOrgAdmin(acme.partnerId, acme.orgId), asked])
        for (const row of await shownTo(who)) expect(row).toMatchObject(shown);
      await pam.service.sql('UPDATE elevation_requests SET requested_by = $2 WHERE id = $1', [id, own.userId]);
      for (const row of await shownTo(own)) expect(row).toMatchObject(shown);
    });

    const SECRET = 'setup.exe /key:4711';
    const shownTo = async (who: Principal) => [
      (await pam.as(who).get(`/pam/elevation-requests/${id}`)).body.request,
      ...(await pam.as(who).get('/pam/elevation-requests')).body.requests,
      ...(await pam.as(who).get('/pam/elevation-requests?search=DESK')).body.requests,
    ];
    const hidden = { commandLine: null, commandLineLength: SECRET.length, toolInputLength: 7 };
    const shown = { commandLine: SECRET, commandLineLength: SECRET.length, toolInput: { a: 1 } };
  });

  it('PAM-307 the story of a request says how many people were asked', async () => {
    await pam.technician(acme);
    const id = await pam.request(acme);
    const story = async () => (await pam.as(ann).get(`/pam/elevation-requests/${id}`)).body.request.timeline;
    expect(await story()).toHaveLength(1);
    await pam.announce(acme, id);
    expect(await story()).toEqual([
      expect.objectContaining({ event: 'requested', count: null }),
      expect.objectContaining({ event: 'asked', count: 2, at: expect.any(String) }),
    ]);
  });

  it("TEN-106 a refused act of a partner's user is recorded under the organisation that it was about", async () => {
    const viewer = pam.as(aPartnerTechnician(acme.partnerId, { permissions: ['devices:read'] }));
    const { orgId, siteId, deviceId } = acme;
    const frozen = { reason: 'Stop', level: 'site', targetId: siteId };
    const site = { level: 'site', id: siteId };
    const refused: [AuditAction, request.Test, string | null][] = [
      ['pam.config.update', viewer.put(`/pam/config?orgId=${orgId}`).send({}), null],
      ['pam.elevation_request.submit', viewer.post('/pam/elevation-requests').send({ deviceId, reason: 'x' }), siteId],
      ['pam.freeze.create', viewer.post('/pam/freezes').send(frozen), siteId],
      ['pam.software_policy.create', viewer.post('/pam/software-policies').send({ target: site }), siteId],
    ];
    for (const [action, call, place] of refused) {
      expect((await call).body.code).toBe('permission_denied');
      expect((await pam.service.audits(action)).at(-1)).toMatchObject({ orgId, siteId: place, result: 'denied' });
    }
  });

  const revoke = (id: string) => pam.as(ann).post(`/pam/elevation-requests/${id}/revoke`).send({ reason: 'Over' });
  const freeze = () =>
    pam
      .as(ann)
      .post('/pam/freezes')
      .send({ level: 'device', targetId: acme.deviceId, reason: 'Stop', revokeOpen: false });
  const grants = async (criteria: object): Promise<void> => {
    const rule = { name: 'grants', verdict: 'auto_approve', ...criteria };
    await pam.as(anOrgAdmin(acme.partnerId, acme.orgId)).post('/pam/rules').send(rule).expect(201);
  };
  const sender = (path: string, body: object) => {
    const key = newId();
    return () => pam.as(ann).post(path).set('idempotency-key', key).send(body);
  };
});
