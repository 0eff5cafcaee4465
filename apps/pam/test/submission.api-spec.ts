import { ElevationAutoApproved, ElevationRequested } from '@gatehouse/contracts-pam';
import { anApiKey, anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('asking for rights', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  describe('for a technician', () => {
    it('waits for another person when no rule matches', async () => {
      const acme = await pam.tenant();
      const answer = await ask(acme);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ success: true, id: expect.any(String), status: 'pending', ticket: null });
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      expect(row).toMatchObject({
        id: answer.body.id,
        flowType: 'tech_jit_admin',
        reason: 'patch the printer',
        decisionSource: null,
      });
      expect((await pam.service.emitted(ElevationRequested)).at(-1)?.data).toMatchObject({
        elevationRequestId: answer.body.id,
        status: 'pending',
        siteId: acme.siteId,
      });
      expect(
        (await pam.service.audits('pam.elevation_request.submit')).filter(
          ({ resource }) => resource.id === answer.body.id,
        ),
      ).toHaveLength(1);
    });

    it('is granted by a rule for its minutes at most', async () => {
      const acme = await pam.tenant();
      const ann = anOrgAdmin(acme.partnerId, acme.orgId);
      await rule(acme, { verdict: 'auto_approve', matchUser: ann.email, approvalDurationMinutes: 20 });
      const { body } = await ask(acme, { durationMinutes: 60 }, pam.as(ann));
      expect(body.status).toBe('auto_approved');
      expect(
        await pam.service.sql('SELECT duration_minutes, decision_source FROM elevation_requests WHERE id = $1', [
          body.id,
        ]),
      ).toEqual([{ duration_minutes: 20, decision_source: 'pam_rule' }]);
      expect((await pam.service.emitted(ElevationAutoApproved)).at(-1)?.aggregateId).toBe(body.id);
      expect((await ask(acme, { durationMinutes: 60 })).body.status).toBe('pending');
    });

    it('ATK-100 IDY-125 matches an API key by its owner, whatever the key is called', async () => {
      const acme = await pam.tenant();
      const key = (label: string, email: string) => {
        const { partnerId, orgId } = acme;
        return pam.as(anOrgAdmin(partnerId, orgId, { kind: 'api_key', sessionId: null, label, email, name: 'Bob' }));
      };
      await rule(acme, { verdict: 'auto_approve', matchUser: 'carol@example.test', approvalDurationMinutes: 20 });
      await rule(acme, { verdict: 'auto_deny', matchUser: 'bob@example.test' });
      expect((await ask(acme, {}, key('carol@example.test', 'dan@example.test'))).body.status).toBe('pending');
      expect((await ask(acme, {}, key('carol@example.test', 'bob@example.test'))).body.status).toBe('denied');
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      expect(row).toMatchObject({ subjectUsername: 'bob@example.test', requestedByName: 'Bob' });
      expect(JSON.stringify(row)).not.toContain('carol');
    });

    it('is never passed over: a person waits for the answer', async () => {
      const acme = await pam.tenant();
      const ann = anOrgAdmin(acme.partnerId, acme.orgId);
      await rule(acme, { verdict: 'ignore', matchUser: ann.email });
      expect((await ask(acme, {}, pam.as(ann))).body.status).toBe('pending');
    });

    it('is denied by the default of an organisation that denies', async () => {
      const acme = await pam.tenant();
      await adminOf(acme).put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' });
      expect((await ask(acme)).body.status).toBe('denied');
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      expect(row.decisionSource).toBe('org_default');
    });

    it('knows no device of another organisation, none outside the caller’s sites, no decommissioned one', async () => {
      const acme = await pam.tenant();
      expect((await ask(acme, { deviceId: newId() })).body).toMatchObject({ status: 404, code: 'device_not_found' });
      expect((await ask(acme, {}, pam.as(aPartnerAdmin(newId())))).body.code).toBe('device_not_found');
      expect((await ask(acme, {}, adminOf(acme, { sites: [acme.otherSiteId] }))).body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
      });
      await pam.deviceIs(acme, { deviceId: acme.deviceId, siteId: acme.siteId, version: 2, status: 'decommissioned' });
      expect((await ask(acme)).body).toMatchObject({ status: 400, code: 'device_decommissioned' });
      await pam.organizationIs(acme, 'archived', 2);
      expect((await ask(acme, { deviceId: acme.otherDeviceId })).body.code).toBe('organization_frozen');
    });

    it('TEN-101 is refused on a machine that waits for the confirmation of its return, as a tool action is', async () => {
      const acme = await pam.tenant();
      await pam.deviceIs(acme, { ...acme, version: 2, status: 'awaiting_confirmation' });
      const refused = { status: 403, code: 'device_awaiting_confirmation' };
      expect((await ask(acme)).body).toMatchObject(refused);
      const action = { deviceId: acme.deviceId, toolName: 'run_script', input: {} };
      expect((await adminOf(acme).post('/pam/tool-actions').send(action)).body).toMatchObject(refused);
    });

    it.each([
      { deviceId: 'x' },
      { reason: '' },
      { reason: undefined },
      { durationMinutes: 0 },
      { durationMinutes: 1441 },
    ])('is refused with %j', async (body) => {
      expect((await ask(await pam.tenant(), body)).status).toBe(400);
    });

    const ask = (tenant: Tenant, body: object = {}, client = adminOf(tenant)) =>
      client.post('/pam/elevation-requests').send({ deviceId: tenant.deviceId, reason: 'patch the printer', ...body });
  });

  describe('for an AI tool action', () => {
    it('answers with the risk tier and waits; the digest is that of the canonical input', async () => {
      const acme = await pam.tenant();
      const { status, body } = await act(acme, { action: ' Stop ' });
      expect(status).toBe(201);
      expect(body).toEqual({
        success: true,
        id: expect.any(String),
        status: 'pending',
        action: 'Stop',
        riskTier: 3,
        ticket: null,
      });
      const state = await keyOf(acme).get(`/pam/tool-actions/${body.id}`);
      expect(state.body).toMatchObject({
        status: 'pending',
        riskTier: 3,
        toolName: 'manage_service',
        actionDigest: sha256('{"a":"x","b":1}'),
        timeoutAt: expect.stringMatching(/Z$/),
      });
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      expect(row).toMatchObject({
        flowType: 'ai_tool_action',
        toolName: 'manage_service',
        riskTier: 3,
        actionDigest: sha256('{"a":"x","b":1}'),
      });
    });

    it('ATK-10e shows the action that its tier follows in every answer and in the audit', async () => {
      const acme = await pam.tenant();
      const { id } = (await act(acme, { action: 'list' })).body;
      expect((await keyOf(acme).get(`/pam/tool-actions/${id}`)).body).toMatchObject({ action: 'list', riskTier: 0 });
      const [row] = (await adminOf(acme).get('/pam/elevation-requests')).body.requests;
      expect(row).toMatchObject({ toolName: 'manage_service', action: 'list', riskTier: 0 });
      await adminOf(acme).post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve' });
      await adminOf(acme).post(`/pam/elevation-requests/${id}/revoke`).send({ reason: 'x' });
      const entries = (await pam.service.audits()).filter(({ resource }) => resource.id === id);
      const tool = { toolName: 'manage_service', action: 'list', riskTier: 0, actionDigest: sha256('{"a":"x","b":1}') };
      expect(entries.map(({ action }) => action)).toEqual([
        'pam.elevation_request.submit',
        'pam.elevation_request.approve',
        'pam.elevation_request.revoke',
      ]);
      for (const { details } of entries) expect(details).toMatchObject(tool);
    });

    it('ATK-10f counts an action that the catalogue does not define as the riskiest of its tool', async () => {
      const acme = await pam.tenant();
      await rule(acme, { verdict: 'auto_approve', matchToolName: 'manage_service', matchRiskTier: 2 });
      expect((await act(acme, { action: 'lists' })).body).toMatchObject({
        action: 'lists',
        riskTier: 3,
        status: 'pending',
      });
      expect((await act(acme)).body).toMatchObject({ action: null, riskTier: 2, status: 'auto_approved' });
    });

    it.each(['{"toString":"x"}', '{"deep":[[{"constructor":1,"valueOf":null}]],"then":2}'])(
      'digests and keeps the whole input, whatever its members are called: %s',
      async (input) => {
        const acme = await pam.tenant();
        const { id } = (await act(acme, { input: JSON.parse(input) as object })).body;
        expect((await keyOf(acme).get(`/pam/tool-actions/${id}`)).body.actionDigest).toBe(sha256(input));
        expect(
          await pam.service.sql('SELECT tool_input = $2::jsonb AS whole FROM elevation_requests WHERE id = $1', [
            id,
            input,
          ]),
        ).toEqual([{ whole: true }]);
      },
    );

    it('may be approved by the person in whose name it is asked', async () => {
      const acme = await pam.tenant();
      const ann = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
      const { id } = (
        await ann.post('/pam/tool-actions').send({ deviceId: acme.deviceId, toolName: 'run_script', input: {} })
      ).body;
      expect((await ann.post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve' })).body.status).toBe(
        'approved',
      );
    });

    it('follows tool-action rules by tool and tier', async () => {
      const acme = await pam.tenant();
      await rule(acme, { verdict: 'auto_approve', matchToolName: 'manage_service', matchRiskTier: 0 });
      await rule(acme, { verdict: 'auto_deny', matchRiskTier: 4 });
      expect((await act(acme, { action: 'list' })).body).toMatchObject({ status: 'auto_approved', riskTier: 0 });
      expect((await act(acme, { action: 'stop' })).body.status).toBe('pending');
      expect((await act(acme, { toolName: 'never_heard_of' })).body).toMatchObject({ status: 'denied', riskTier: 4 });
    });

    it('is out of time without a decision before its timeout', async () => {
      const acme = await pam.tenant();
      const { id } = (await act(acme, { timeoutSeconds: 1 })).body;
      await pam.service.sql(
        `UPDATE elevation_requests SET timeout_at = now() - interval '1 second',
          pending_until = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      expect(
        (await adminOf(acme).post(`/pam/elevation-requests/${id}/respond`).send({ decision: 'approve' })).body,
      ).toMatchObject({ status: 409, code: 'tool_execution_timed_out' });
      expect((await keyOf(acme).get(`/pam/tool-actions/${id}`)).body.status).toBe('expired');
    });

    it('is out of sight of others, and other requests are no tool actions', async () => {
      const acme = await pam.tenant();
      const { id } = (await act(acme)).body;
      expect((await keyOf(await pam.tenant()).get(`/pam/tool-actions/${id}`)).body.code).toBe('tool_action_not_found');
      expect((await keyOf(acme).get(`/pam/tool-actions/${await pam.request(acme)}`)).status).toBe(404);
      expect((await adminOf(acme, { permissions: ['devices:read'] }).get(`/pam/tool-actions/${id}`)).status).toBe(403);
    });

    it.each([
      { input: [] },
      { input: 'x' },
      { input: undefined },
      { toolName: '' },
      { timeoutSeconds: 0 },
      { deviceId: 'x' },
    ])('is refused with %j', async (body) => {
      expect((await act(await pam.tenant(), body)).status).toBe(400);
    });

    const keyOf = (tenant: Tenant) =>
      pam.as(
        anApiKey({
          level: 'organization',
          partnerId: tenant.partnerId,
          orgId: tenant.orgId,
          orgs: [tenant.orgId],
          permissions: ['tools:request'],
        }),
      );
    const act = (tenant: Tenant, body: object = {}) =>
      keyOf(tenant)
        .post('/pam/tool-actions')
        .send({ deviceId: tenant.deviceId, toolName: 'manage_service', input: { b: 1, a: 'x' }, ...body });
  });

  const adminOf = (tenant: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId, overrides));
  const rule = (tenant: Tenant, body: object) =>
    adminOf(tenant)
      .post('/pam/rules')
      .send({ name: 'Rule', ...body });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
