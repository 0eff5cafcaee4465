import type { Principal } from '@gatehouse/contracts-core';
import {
  ApprovalMailRequested,
  ElevationEscalated,
  RequestOutcomeNotified,
  type TimelineEntryRecord,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, type Client, until } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EscalateRequests } from '../src/approvals/escalate-requests.ts';
import { ExpireElevations } from '../src/approvals/expire-elevations.ts';
import { PamHarness, type RequestOptions, type Tenant } from './pam.harness.ts';

const pam = await PamHarness.start();
const replica = await PamHarness.start({ replicaOf: pam.service });
afterAll(async () => {
  await replica.stop();
  await pam.stop();
});

describe('escalation', () => {
  let acme: Tenant;
  let ann: Principal;
  beforeEach(async () => {
    acme = await pam.tenant();
    ann = await pam.technician(acme);
  });

  it('PAM-220 has a policy that is replaced as a whole', async () => {
    const none = { orgId: acme.orgId, steps: [], flowTypes: null, tellDevice: false, tellRequester: true };
    expect(await read()).toEqual({ ...none, version: 0 });
    const steps = [
      { step: 1, afterMinutes: 5 },
      { step: 3, afterMinutes: 6, askAllApprovers: true },
    ];
    const { status, body } = await put({ steps, flowTypes: ['uac_intercept'], tellDevice: true, tellRequester: false });
    expect([status, body.success]).toEqual([200, true]);
    expect(body.escalationPolicy).toEqual({
      orgId: acme.orgId,
      steps: [{ ...steps[0], askAllApprovers: false }, steps[1]],
      flowTypes: ['uac_intercept'],
      tellDevice: true,
      tellRequester: false,
      version: 1,
    });
    expect(await read()).toEqual(body.escalationPolicy);
    expect(await pam.service.audits('pam.escalation_policy.update')).toContainEqual(
      expect.objectContaining({
        orgId: acme.orgId,
        details: expect.objectContaining({ tellDevice: true, version: 1 }),
      }),
    );
    expect((await put({})).body.escalationPolicy).toEqual({ ...none, version: 2 });
    expect((await put({}).set('If-Match', '"1"')).body).toMatchObject({ status: 412, code: 'version_conflict' });
  });

  const STEP = { step: 1, afterMinutes: 5 };
  it.each([
    { steps: [{ ...STEP, step: 0 }] },
    { steps: [{ ...STEP, step: 6 }] },
    { steps: [{ ...STEP, afterMinutes: 0 }] },
    { steps: [{ ...STEP, afterMinutes: 1441 }] },
    { steps: [STEP, STEP] },
    { steps: [STEP, { step: 2, afterMinutes: 5 }] },
    {
      steps: [
        { ...STEP, step: 2 },
        { step: 1, afterMinutes: 6 },
      ],
    },
    { steps: Array.from({ length: 6 }, (_, at) => ({ step: at + 1, afterMinutes: at + 1 })) },
    { steps: [{ ...STEP, channel: 'mail' }] },
    { flowTypes: ['any'] },
    { tellDevice: 'true' },
    { tellEverybody: true },
  ])('refuses the policy %j', async (body) => {
    expect((await put(body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('PAM-221 takes no step where no request can be approved, until one can', async () => {
    await put({ steps: [{ ...STEP, askAllApprovers: true }] });
    await pam.technician(acme, { subscriptions: 0 });
    const id = await waiting(5);
    await pam.organizationIs(acme, 'archived', 5);
    await escalate();
    expect(await stepsOf(id)).toEqual([]);
    await pam.organizationIs(acme, 'suspended', 6);
    await escalate();
    expect(await stepsOf(id)).toEqual([1]);
  });

  it('PAM-221 takes each step once, in order, while a request is pending', async () => {
    const steps = [STEP, { step: 2, afterMinutes: 8 }, { step: 3, afterMinutes: 60 }];
    await put({ steps, flowTypes: ['uac_intercept'] });
    const [early, late, tool] = [
      await waiting(5),
      await waiting(10),
      await waiting(10, { flowType: 'ai_tool_action' }),
    ];
    const [fresh, decided] = [await waiting(4), await waiting(10, { status: 'denied' })];
    const lapsed = await waiting(10, { pendingSeconds: -1 });
    for (let round = 0; round < 3; round++) await escalate();
    expect(await Promise.all([early, late].map(stepsOf))).toEqual([[1], [1, 2]]);
    expect(await Promise.all([tool, fresh, decided, lapsed].map(stepsOf))).toEqual([[], [], [], []]);
    const audits = await pam.service.audits('pam.elevation_request.escalate');
    expect(audits.filter(({ resource }) => resource.id === late)).toMatchObject([
      { orgId: acme.orgId, actor: { type: 'system' }, result: 'success', details: { step: 1, afterMinutes: 5 } },
      { details: { step: 2, afterMinutes: 8 } },
    ]);
    await put({ steps: [] });
    await escalate();
    expect(await stepsOf(early)).toEqual([1]);
  });

  it('PAM-221 shows each step in what happened to the request, when it was taken', async () => {
    await put({ steps: [STEP, { step: 3, afterMinutes: 8 }] });
    const [id, fresh] = [await waiting(10), await waiting(4)];
    const before = Date.now();
    for (let round = 0; round < 2; round++) await escalate();
    await put({ steps: [] });
    await respond(id, 'deny');
    const timelineOf = async (request: string): Promise<TimelineEntryRecord[]> =>
      (await admin().get(`/pam/elevation-requests/${request}`)).body.request.timeline;
    const timeline = await timelineOf(id);
    expect(timeline.map(({ event, step, actorName }) => ({ event, step, hasActor: actorName !== null }))).toEqual([
      { event: 'requested', step: null, hasActor: true },
      { event: 'escalated', step: 1, hasActor: false },
      { event: 'escalated', step: 3, hasActor: false },
      { event: 'denied', step: null, hasActor: true },
    ]);
    for (const { at } of timeline.slice(1)) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect((await timelineOf(fresh)).map(({ event }) => event)).toEqual(['requested']);
  });

  it('PAM-222 asks people whom no push reaches, each once and by a mail (TELL-01, TELL-02)', async () => {
    const ben = await pam.technician(acme, { subscriptions: 0 });
    await pam.technician(acme, { subscriptions: 0, sites: [acme.otherSiteId] });
    await pam.technician(acme, { subscriptions: 0, permissions: ['devices:read'] });
    await put({
      steps: [
        STEP,
        { step: 2, afterMinutes: 6, askAllApprovers: true },
        { step: 3, afterMinutes: 7, askAllApprovers: true },
      ],
    });
    const id = await waiting(7);
    await pam.announce(acme, id);
    const asked = 'SELECT user_id FROM approvals WHERE elevation_request_id = $1';
    const askedOf = async () => (await pam.service.sql(asked, [id])).map(({ user_id: userId }) => userId);
    expect(await askedOf()).toEqual([ann.userId]);
    for (let round = 0; round < 3; round++) await escalate();
    expect((await askedOf()).toSorted()).toEqual([ann.userId, ben.userId].toSorted());
    const mails = (await pam.service.emitted(ApprovalMailRequested)).filter(({ data }) => data.orgId === acme.orgId);
    expect(mails.map(({ data }) => data)).toMatchObject([{ userId: ben.userId, deviceHostname: 'DESK-1' }]);
    const [card] = (await pam.as(ben).get('/approvals?status=pending')).body.approvals;
    expect(card).toMatchObject({ id: mails[0]?.data.approvalId, elevationRequestId: id });
    const weak = pam.as({ ...ben, mfa: false });
    expect((await weak.post(`/approvals/${card.id}/approve`).send({})).body.code).toBe('mfa_required');
    expect((await pam.as(ann).get(`/approvals/${card.id}`)).body.code).toBe('approval_not_found');
    for (const caller of [null, ben]) await pam.as(caller).get(`/approvals/${card.id}`);
    expect(await pam.statusOf(id)).toBe('pending');
  });

  it('ATK-219 PAM-356 mails a person about at most 20 requests an hour, and asks them all the same', async () => {
    await put({ steps: [{ step: 1, afterMinutes: 5, askAllApprovers: true }] });
    const ben = await pam.technician(acme, { subscriptions: 0 });
    await pam.service.sql(
      `INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, user_id, user_name, status, expires_at)
        SELECT i.id, $2, $3, i.id, $4, 'Ben', 'denied', now() FROM unnest($1::uuid[]) AS i (id)`,
      [Array.from({ length: 20 }, newId), acme.partnerId, acme.orgId, ben.userId],
    );
    const id = await waiting(6);
    await escalate();
    const asked = await pam.service.sql('SELECT FROM approvals WHERE elevation_request_id = $1 AND user_id = $2', [
      id,
      ben.userId,
    ]);
    expect(asked).toHaveLength(1);
    const mails = (await pam.service.emitted(ApprovalMailRequested)).filter(({ data }) => data.userId === ben.userId);
    expect(mails).toEqual([]);
  });

  it('PAM-154 PAM-222 asks no one under a lockdown, and whom its steps ask once it is lifted', async () => {
    const ben = await pam.technician(acme, { subscriptions: 0 });
    await put({ steps: [STEP, { step: 2, afterMinutes: 6, askAllApprovers: true }] });
    const order = { level: 'device', targetId: acme.deviceId, reason: 'stop' };
    const { freeze } = (await admin().post('/pam/freezes').send(order).expect(201)).body;
    const [early, late] = [await waiting(5), await waiting(7)];
    for (let round = 0; round < 2; round++) await escalate();
    expect(await Promise.all([early, late].map(stepsOf))).toEqual([[1], [1, 2]]);
    const asked = () =>
      pam.service.sql('SELECT elevation_request_id, user_id FROM approvals WHERE org_id = $1', [acme.orgId]);
    expect(await asked()).toEqual([]);
    await admin().post(`/pam/freezes/${freeze.id}/lift`).send({ reason: 'over' }).expect(200);
    await until(async () => (await asked()).length === 3);
    const expected = [
      { elevation_request_id: early, user_id: ann.userId },
      { elevation_request_id: late, user_id: ann.userId },
      { elevation_request_id: late, user_id: ben.userId },
    ];
    expect(await asked()).toEqual(expect.arrayContaining(expected));
    const mails = (await pam.service.emitted(ApprovalMailRequested)).filter(({ data }) => data.orgId === acme.orgId);
    expect(mails.map(({ data }) => data.userId)).toContain(ben.userId);
    expect(await stepsOf(late)).toEqual([1, 2]);
  });

  it('PAM-223 tells the requester how it ended, and by mail after five minutes', async () => {
    const own = { flowType: 'tech_jit_admin', requestedBy: ann.userId } as const;
    const [fast, slow, prompt] = [await waiting(0, own), await waiting(6, own), await waiting(6)];
    await respond(fast, 'deny');
    await respond(slow, 'approve');
    await admin().post(`/pam/elevation-requests/${slow}/revoke`).send({ reason: 'over' });
    await respond(prompt, 'approve');
    const lapsed = await waiting(20, { ...own, pendingSeconds: -1 });
    await pam.service.service.app.get(ExpireElevations).run();
    const by = ann.userId;
    expect(await Promise.all([fast, slow, lapsed, prompt].map(toldOf))).toEqual([
      [{ userId: by, status: 'denied', byMail: false }],
      [
        { userId: by, status: 'approved', byMail: true },
        { userId: by, status: 'revoked', byMail: true },
      ],
      [{ userId: by, status: 'expired', byMail: true }],
      [],
    ]);
    await put({ tellRequester: false });
    const quiet = await waiting(6, own);
    await respond(quiet, 'deny');
    expect(await toldOf(quiet)).toEqual([]);
  });

  it('PAM-224 tells a device of protocol 1 where the policy says so', async () => {
    const before = await pam.request(acme);
    await respond(before, 'deny');
    await put({ tellDevice: true });
    const [denied, granted] = [await pam.request(acme), await pam.request(acme, { status: 'auto_approved' })];
    await pam.service.sql("UPDATE elevation_requests SET decision_source = 'pam_rule' WHERE id = $1", [granted]);
    await respond(denied, 'deny');
    await admin().post(`/pam/elevation-requests/${granted}/revoke`).send({ reason: 'over' });
    expect(await Promise.all([before, denied, granted].map(outcomesOf))).toEqual([
      [],
      [{ elevationRequestId: denied, status: 'denied' }],
      [],
    ]);
  });

  const admin = (): Client => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const put = (body: object) => admin().put('/pam/escalation-policy').send(body);
  const read = async () => (await admin().get('/pam/escalation-policy')).body.escalationPolicy;
  const escalate = () =>
    Promise.all(
      [pam, replica, pam].map((at) => at.service.service.app.get(EscalateRequests).run(new AbortController().signal)),
    );
  /** A request that has waited for so many minutes. */
  const waiting = async (minutes: number, options: RequestOptions = {}): Promise<string> => {
    const id = await pam.request(acme, options);
    await pam.service.sql(
      'UPDATE elevation_requests SET requested_at = now() - make_interval(mins => $2) WHERE id = $1',
      [id, minutes],
    );
    return id;
  };
  const stepsOf = async (id: string) =>
    (await pam.service.emitted(ElevationEscalated))
      .filter(({ aggregateId }) => aggregateId === id)
      .map(({ data }) => data.step);
  const toldOf = async (id: string) =>
    (await pam.service.emitted(RequestOutcomeNotified))
      .filter(({ aggregateId }) => aggregateId === id)
      .map(({ data: { userId, status, byMail } }) => ({ userId, status, byMail }));
  const respond = (id: string, decision: string) =>
    admin().post(`/pam/elevation-requests/${id}/respond`).send({ decision });
  const outcomesOf = async (id: string) =>
    (await pam.commandsOf(id)).filter(({ type }) => type === 'elevation_outcome').map(({ payload }) => payload);
});
