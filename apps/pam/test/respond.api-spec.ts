import { ElevationApproved, ElevationRevoked } from '@gatehouse/contracts-pam';
import { anOrgAdmin, aPartnerAdmin, aPartnerTechnician, atOnce } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@gatehouse/crypto';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const replica = await PamHarness.start({ replicaOf: pam.service });
const acme = await pam.tenant();
afterAll(async () => {
  await replica.stop();
  await pam.stop();
});

describe('deciding elevation requests', () => {
  describe('respond', () => {
    it('approves a pending request for the asked minutes, with one event and one audit entry', async () => {
      const id = await pam.request(acme);
      const answer = await respond(id, { decision: 'approve', durationMinutes: 30 });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ success: true, id, status: 'approved', votesGiven: 1, votesRequired: 1 });
      const [row] = await pam.service.sql<{ minutes: string; decision_source: string }>(
        `SELECT round(extract(epoch FROM expires_at - decided_at) / 60) AS minutes, decision_source
          FROM elevation_requests WHERE id = $1`,
        [id],
      );
      expect([Number(row?.minutes), row?.decision_source]).toEqual([30, 'human']);
      expect(
        (await pam.service.emitted(ElevationApproved)).filter(({ aggregateId }) => aggregateId === id),
      ).toHaveLength(1);
      expect(
        (await pam.service.audits('pam.elevation_request.approve')).filter(({ resource }) => resource.id === id),
      ).toMatchObject([{ result: 'success', orgId: acme.orgId }]);
    });

    it.each(['approve', 'deny', 'revoke'] as const)(
      'AUD-37 tells in the audit entry which program was asked for, by whom and on which device: %s',
      async (act) => {
        const id = await pam.request(acme, { status: act === 'revoke' ? 'approved' : 'pending' });
        const answer = act === 'revoke' ? revoke(id, { reason: 'done' }) : respond(id, { decision: act });
        expect((await answer).status).toBe(200);
        expect(
          (await pam.service.audits(`pam.elevation_request.${act}`)).filter(({ resource }) => resource.id === id),
        ).toMatchObject([
          {
            resource: { name: 'DESK-1' },
            details: { targetExecutablePath: 'C:\\Setup.exe', subjectUsername: 'ann', requestedByName: null },
          },
        ]);
      },
    );

    it('lasts 15 minutes when no duration is given', async () => {
      const id = await pam.request(acme);
      await respond(id, { decision: 'approve' });
      expect(await pam.service.sql('SELECT duration_minutes FROM elevation_requests WHERE id = $1', [id])).toEqual([
        { duration_minutes: 15 },
      ]);
    });

    it('denies with a reason', async () => {
      const id = await pam.request(acme);
      expect((await respond(id, { decision: 'deny', reason: 'not today' })).body).toEqual({
        success: true,
        id,
        status: 'denied',
        votesGiven: 0,
        votesRequired: 1,
      });
    });

    it.each(['approved', 'denied', 'revoked', 'expired', 'actuating'] as const)(
      'PAM-02 answers 409 not_pending for a request that is %s, and changes nothing',
      async (status) => {
        const id = await pam.request(acme, { status });
        expect((await respond(id, { decision: 'approve' })).body).toMatchObject({
          status: 409,
          code: 'not_pending',
          currentStatus: status,
        });
        expect(await pam.statusOf(id)).toBe(status);
      },
    );

    it('PAM-03 judges the time itself, however late the sweep is', async () => {
      const id = await pam.request(acme, { pendingSeconds: -1 });
      expect((await respond(id, { decision: 'approve' })).body).toMatchObject({ code: 'not_pending' });
    });

    it('answers 409 when the tool execution that waits has timed out', async () => {
      const id = await pam.request(acme, { flowType: 'ai_tool_action', timeoutSeconds: -1 });
      expect((await respond(id, { decision: 'deny' })).body).toMatchObject({
        status: 409,
        code: 'tool_execution_timed_out',
      });
    });

    it('PAM-01 lets one of 50 parallel decisions on two replicas win', async () => {
      const id = await pam.request(acme);
      const clients = [admin(), replica.as(anOrgAdmin(acme.partnerId, acme.orgId))];
      const decide = (at: number) => respond(id, { decision: at % 3 ? 'approve' : 'deny' }, clients[at % 2]);
      const statuses = (await atOnce(50, decide)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, ...Array(49).fill(409)]);
      expect(
        (await pam.service.audits()).filter(({ resource, result }) => resource.id === id && result === 'success'),
      ).toHaveLength(1);
    });

    it('PAM-11 refuses a duration beyond what numbers can hold, and takes 15.0', async () => {
      const id = await pam.request(acme);
      const raw = (duration: string): ReturnType<typeof respond> =>
        admin()
          .post(`/pam/elevation-requests/${id}/respond`)
          .set('content-type', 'application/json')
          .send(`{"decision":"approve","durationMinutes":${duration}}`);
      expect((await raw('1e400')).status).toBe(400);
      expect((await raw('15.0')).status).toBe(200);
    });

    it.each([0, 1441, 1.5, -1, '15', null, true])('PAM-11 refuses a duration of %j', async (durationMinutes) => {
      const id = await pam.request(acme);
      expect((await respond(id, { decision: 'approve', durationMinutes })).status).toBe(400);
    });

    it.each([
      {},
      { decision: 'maybe' },
      { decision: 'deny', reason: 'x'.repeat(2001) },
      { decision: 'deny', reason: 'a\0b' },
    ])('PAM-12 refuses the body %j', async (body) => {
      expect((await respond(await pam.request(acme), body)).status).toBe(400);
    });

    it('answers 404 for a request of another organisation or of none', async () => {
      const stranger = pam.as(anOrgAdmin(acme.partnerId, newId()));
      expect((await respond(await pam.request(acme), { decision: 'approve' }, stranger)).body).toMatchObject({
        status: 404,
        code: 'elevation_request_not_found',
      });
      expect((await respond(newId(), { decision: 'approve' })).status).toBe(404);
      expect((await respond('no-uuid', { decision: 'approve' })).status).toBe(400);
      expect(
        (await respond(await pam.request(acme), { decision: 'approve' }, pam.as(aPartnerAdmin(newId())))).status,
      ).toBe(404);
    });

    it('PAM-52 answers 403 for a device at a site outside the caller’s, wherever it was before', async () => {
      const confined = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
      const elsewhere = await pam.request(acme, { deviceId: acme.otherDeviceId });
      expect((await respond(elsewhere, { decision: 'approve' }, confined)).body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
      });
      await pam.deviceIs(acme, { deviceId: acme.otherDeviceId, siteId: acme.siteId, version: 2 });
      expect((await respond(elsewhere, { decision: 'approve' }, confined)).status).toBe(200);
      await pam.deviceIs(acme, { deviceId: acme.otherDeviceId, siteId: acme.otherSiteId, version: 3 });
    });

    it('PAM-09 refuses the requester’s own approval, recorded, but not the own denial', async () => {
      const ann = aPartnerTechnician(acme.partnerId);
      const id = await pam.request(acme, { flowType: 'tech_jit_admin', requestedBy: ann.userId });
      expect((await respond(id, { decision: 'approve' }, pam.as(ann))).body).toMatchObject({
        status: 403,
        code: 'self_approval_denied',
      });
      expect(
        (await pam.service.audits('pam.elevation_request.approve')).filter(({ resource }) => resource.id === id),
      ).toMatchObject([{ result: 'denied', orgId: acme.orgId, siteId: acme.siteId }]);
      expect((await respond(id, { decision: 'deny' }, pam.as(ann))).status).toBe(200);
    });

    it('needs devices:execute and a second factor', async () => {
      const id = await pam.request(acme);
      const without = (overrides: object) => pam.as(anOrgAdmin(acme.partnerId, acme.orgId, overrides));
      expect((await respond(id, { decision: 'approve' }, without({ mfa: false }))).body.code).toBe('mfa_required');
      expect(
        (await respond(id, { decision: 'approve' }, without({ permissions: ['devices:read', 'devices:write'] }))).body
          .code,
      ).toBe('permission_denied');
      expect((await respond(id, { decision: 'approve' }, pam.as(null))).status).toBe(401);
      expect((await respond(id, { decision: 'approve' }, pam.as(aPartnerTechnician(acme.partnerId)))).status).toBe(200);
    });

    it.each(['archived', 'merging'] as const)(
      'PAM-384 lets no request of an organisation that is %s be decided or taken, but a window be revoked',
      async (status) => {
        const gone = await pam.tenant();
        const client = pam.as(aPartnerTechnician(gone.partnerId));
        const [id, open] = [await pam.request(gone), await pam.request(gone, { status: 'approved' })];
        await pam.organizationIs(gone, status, 2);
        for (const answer of [
          await respond(id, { decision: 'approve' }, client),
          await respond(id, { decision: 'deny' }, client),
          await client.post(`/pam/elevation-requests/${id}/take`),
        ])
          expect(answer.body).toMatchObject({ status: 409, code: 'organization_frozen' });
        expect((await client.post(`/pam/elevation-requests/${open}/revoke`).send({ reason: 'x' })).status).toBe(200);
      },
    );
  });

  describe('revoke', () => {
    it.each(['approved', 'auto_approved', 'actuating'] as const)(
      'PAM-08 ends a request that is %s and tells the device',
      async (status) => {
        const id = await pam.request(acme, { status });
        expect((await revoke(id, { reason: 'done' })).body).toEqual({ success: true, id, status: 'revoked' });
        expect(await pam.commandsOf(id)).toMatchObject([
          { type: 'revoke_elevation', status: 'queued', payload: { elevationRequestId: id } },
        ]);
        expect(
          (await pam.service.emitted(ElevationRevoked)).filter(({ aggregateId }) => aggregateId === id),
        ).toHaveLength(1);
      },
    );

    it.each(['pending', 'denied', 'expired', 'revoked'] as const)(
      'answers 409 for a request that is %s',
      async (status) => {
        expect((await revoke(await pam.request(acme, { status }), { reason: 'done' })).body).toMatchObject({
          status: 409,
          code: 'not_active',
        });
      },
    );

    it('answers 409 for a window that is over', async () => {
      expect(
        (await revoke(await pam.request(acme, { status: 'approved', expiresSeconds: -1 }), { reason: 'done' })).status,
      ).toBe(409);
    });

    it.each([{}, { reason: '' }, { reason: '   ' }, { reason: 'x'.repeat(2001) }])(
      'PAM-12 refuses the body %#',
      async (body) => {
        expect((await revoke(await pam.request(acme, { status: 'approved' }), body)).status).toBe(400);
      },
    );

    it('is 404 in another organisation and 403 at another site', async () => {
      const id = await pam.request(acme, { status: 'approved' });
      expect((await revoke(id, { reason: 'x' }, pam.as(anOrgAdmin(acme.partnerId, newId())))).status).toBe(404);
      expect(
        (
          await revoke(
            id,
            { reason: 'x' },
            pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.otherSiteId] })),
          )
        ).body.code,
      ).toBe('site_access_denied');
    });
  });

  it('gives the first outcome to the same Idempotency-Key at every POST and PATCH, and 422 to another body', async () => {
    const id = await pam.request(acme);
    const { rule } = (
      await admin().post('/pam/rules').send({ name: 'Rule', verdict: 'auto_deny', matchUser: 'nobody' })
    ).body;
    const calls: ['post' | 'patch', string, object, other?: object][] = [
      ['post', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' }],
      ['post', `/devices/${acme.deviceId}/actuate-elevation`, { elevationRequestId: id }, { timeoutMs: 2_000 }],
      ['post', `/pam/elevation-requests/${id}/revoke`, { reason: 'done' }],
      ['post', '/pam/elevation-requests', { deviceId: acme.deviceId, reason: 'once' }],
      ['post', '/pam/tool-actions', { deviceId: acme.deviceId, toolName: 'read_file', input: {} }],
      ['post', '/pam/signer-groups', { name: 'once' }, { description: 'another' }],
      ['patch', `/pam/rules/${rule.id}`, { priority: 7 }, { priority: 8 }],
    ];
    const ann = admin();
    for (const [method, path, body, other = { reason: 'another' }] of calls) {
      const key = newId();
      const send = (sent: object) => ann[method](path).set('idempotency-key', key).send(sent);
      const first = await send(body);
      expect(first.status).toBeLessThan(300);
      expect((await send(body)).body).toEqual(first.body);
      expect((await send({ ...body, ...other })).body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    }
    expect((await pam.commandsOf(id)).map(({ type }) => type)).toEqual(['actuate_elevation', 'revoke_elevation']);
  });

  it('lets a request wait as long as PAM_PENDING_TTL_MINUTES says', async () => {
    const patient = await PamHarness.start({ replicaOf: pam.service, env: { PAM_PENDING_TTL_MINUTES: '40' } });
    await pam.technician(acme);
    const { id } = (
      await patient
        .as(anOrgAdmin(acme.partnerId, acme.orgId))
        .post('/pam/elevation-requests')
        .send({ deviceId: acme.deviceId, reason: 'x' })
    ).body;
    await pam.announce(acme, id);
    expect(
      await pam.service.sql(
        `SELECT DISTINCT pending_until - requested_at = interval '40 minutes' AS as_said, a.expires_at = pending_until AS
           answerable FROM elevation_requests r JOIN approvals a ON a.elevation_request_id = r.id WHERE r.id = $1`,
        [id],
      ),
    ).toEqual([{ as_said: true, answerable: true }]);
    await patient.stop();
  });

  const admin = () => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const respond = (id: string, body: object, client = admin()) =>
    client.post(`/pam/elevation-requests/${id}/respond`).send(body);
  const revoke = (id: string, body: object, client = admin()) =>
    client.post(`/pam/elevation-requests/${id}/revoke`).send(body);
});
