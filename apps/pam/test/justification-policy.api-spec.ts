import type { Principal } from '@gatehouse/contracts-core';
import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PamHarness, type Tenant } from './pam.harness.ts';

const pam = await PamHarness.start();
afterAll(() => pam.stop());

describe('the justification of an elevation', () => {
  let acme: Tenant;
  let ann: Principal;
  let ben: Principal;
  beforeEach(async () => {
    acme = await pam.tenant();
    [ann, ben] = [await pam.technician(acme), await pam.technician(acme)];
  });

  it('PAM-210 asks for nothing until it is set, and is replaced as a whole', async () => {
    expect(await read()).toEqual({ orgId: acme.orgId, ...NONE, version: 0 });
    const before = await pam.rulebookVersion(acme);
    const policy = { reason: { mode: 'required', minLetters: 10 }, ticket: TICKET, prompts: { hold: true } };
    const { status, body, headers } = await put(policy);
    expect([status, body.success, headers['etag']]).toEqual([200, true, '"1"']);
    expect(body.justificationPolicy).toEqual({ orgId: acme.orgId, ...policy, version: 1 });
    expect(await read()).toEqual(body.justificationPolicy);
    expect(await pam.rulebookVersion(acme)).toBe(before + 1);
    const [entry] = await pam.service.audits('pam.justification_policy.update');
    expect(entry).toMatchObject({ orgId: acme.orgId, result: 'success', details: { ...policy, version: 1 } });
    expect((await put({})).body.justificationPolicy).toEqual({ orgId: acme.orgId, ...NONE, version: 2 });
    expect((await put({}).set('If-Match', '"1"')).body).toMatchObject({ status: 412, code: 'version_conflict' });
  });

  it.each([
    { reason: { mode: 'never' } },
    { reason: { minLetters: 201 } },
    { ticket: { mode: 'on' } },
    { ticket: { masks: Array.from({ length: 11 }, () => '#') } },
    { ticket: { masks: ['#'.repeat(61)] } },
    { ticket: { masks: [''] } },
    { ticket: { masks: 'INC' } },
    { ticket: { hint: 'x'.repeat(201) } },
    { prompts: { hold: 'true' } },
    { tickets: {} },
    { reason: { letters: 3 } },
  ])('refuses the policy %j', async (body) => {
    expect((await put(body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('PAM-210 refuses requests of people and tools without what the organisation asks for', async () => {
    await put({ reason: { mode: 'required', minLetters: 6 } });
    const few = { status: 400, code: 'justification_required', hint: null };
    expect((await ask({ reason: 'aaaaaaaaaa' })).body).toMatchObject(few);
    expect((await tool()).body).toMatchObject(few);
    expect((await tool({ reason: 'a.b.c' })).body).toMatchObject(few);
    expect([(await ask()).status, (await tool({ reason: 'restart' })).status]).toEqual([201, 201]);

    await put({ ticket: TICKET });
    for (const request of [ask, tool]) {
      expect((await request()).body).toMatchObject({ status: 400, code: 'ticket_required', hint: HINT });
      expect((await request({ ticket: 'INC-1' })).body).toMatchObject({ code: 'ticket_invalid', hint: HINT });
      expect((await request({ ticket: ' inc-0042 ' })).body).toMatchObject({ success: true, ticket: 'inc-0042' });
    }
    await put({ ticket: { ...TICKET, mode: 'optional' } });
    expect((await ask({ ticket: 'X' })).body.code).toBe('ticket_invalid');
    expect((await ask()).body).toMatchObject({ success: true, ticket: null });
  });

  it('TICKET-03 keeps tickets as texts within their limit', async () => {
    const ticket = '<script>\r\n=1+1</script>';
    const { body } = await ask({ ticket });
    expect([body.ticket, (await shown(body.id)).ticket]).toEqual([ticket, ticket]);
    expect(await pam.service.audits('pam.elevation_request.submit')).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ ticket }) }),
    );
    const made = (await tool({ ticket: 'T-1' })).body;
    expect((await pam.as(ann).get(`/pam/tool-actions/${made.id}`)).body.ticket).toBe('T-1');
    for (const long of ['x'.repeat(101), 'x'.repeat(90_000), 'a\0', 7, null])
      expect((await ask({ ticket: long })).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('PAM-213 approves a prompt that lacks a ticket only with one; denying needs none', async () => {
    await put({ ticket: TICKET });
    const id = await prompt();
    expect((await respond(id)).body).toMatchObject({ status: 400, code: 'ticket_required', hint: HINT });
    expect((await respond(id, { ticket: 'X' })).body).toMatchObject({ status: 400, code: 'ticket_invalid' });
    expect((await shown(id)).mayRespond).toEqual({ approve: true, deny: true });
    expect((await respond(id, { ticket: 'INC-0007' })).body).toMatchObject({ success: true, status: 'approved' });
    expect(await shown(id)).toMatchObject({ status: 'approved', ticket: 'INC-0007' });
    expect(await pam.service.audits('pam.elevation_request.approve')).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ ticket: 'INC-0007' }) }),
    );
    expect((await respond(id, { ticket: 'X' })).body).toMatchObject({ code: 'not_pending' });
    expect((await respond(await prompt(), { decision: 'deny' })).body).toMatchObject({ status: 'denied' });
  });

  it('PAM-213 takes the ticket with an approval by card, and with the first of several votes', async () => {
    await put({ ticket: TICKET });
    const id = await prompt();
    await pam.announce(acme, id);
    const { approvals } = (await pam.as(ben).get('/approvals?status=pending')).body;
    const approve = (body: object) => pam.as(ben).post(`/approvals/${approvals[0].id}/approve`).send(body);
    expect((await approve({})).body).toMatchObject({ status: 400, code: 'ticket_required' });
    expect((await approve({ ticket: 'INC-0001' })).body).toMatchObject({ status: 'approved' });

    const twice = await prompt();
    await pam.service.sql('UPDATE elevation_requests SET votes_required = 2 WHERE id = $1', [twice]);
    expect((await respond(twice)).body.code).toBe('ticket_required');
    expect((await respond(twice, { ticket: 'INC-0002' })).body).toMatchObject({ status: 'pending', votesGiven: 1 });
    expect((await respond(twice, { ticket: 'INC-0003' })).body.code).toBe('already_voted');
    expect((await respond(twice, { ticket: 'INC-0003' }, ann)).body).toMatchObject({ status: 'approved' });
    expect((await shown(twice)).ticket).toBe('INC-0002');
  });

  it('TICKET-04 leaves pending requests their terms', async () => {
    const id = (await ask()).body.id;
    await put({ ticket: TICKET });
    const later = await prompt();
    await put({});
    expect((await respond(id)).body).toMatchObject({ status: 'approved' });
    expect((await respond(later)).body.code).toBe('ticket_required');
    expect((await respond(later, { ticket: 'any' })).body).toMatchObject({ code: 'ticket_invalid', hint: HINT });
    expect((await respond(later, { ticket: 'INC-0004' })).body).toMatchObject({ status: 'approved' });
  });

  it('shows no policy and no request of others by their tickets', async () => {
    await put({ ticket: TICKET });
    const id = await prompt();
    const stranger = await pam.technician(await pam.tenant());
    const elsewhere = await pam.technician(acme, { sites: [acme.otherSiteId] });
    expect((await respond(id, { ticket: 'X' }, stranger)).body.code).toBe('elevation_request_not_found');
    expect((await respond(id, { ticket: 'X' }, elsewhere)).body.code).toBe('site_access_denied');
    expect((await shown(id)).ticket).toBeNull();
  });

  const admin = (): Client => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const put = (body: object) => admin().put('/pam/justification-policy').send(body);
  const read = async () => (await admin().get('/pam/justification-policy')).body.justificationPolicy;
  const ask = (body: object = {}, who = ann) =>
    pam
      .as(who)
      .post('/pam/elevation-requests')
      .send({ deviceId: acme.deviceId, reason: 'printer driver', ...body });
  const tool = (body: object = {}) =>
    pam
      .as(ann)
      .post('/pam/tool-actions')
      .send({ deviceId: acme.deviceId, toolName: 'run_script', input: {}, ...body });
  const respond = (id: string, body: object = {}, who = ben) =>
    pam
      .as(who)
      .post(`/pam/elevation-requests/${id}/respond`)
      .send({ decision: 'approve', ...body });
  const prompt = async (): Promise<string> => {
    const id = await pam.request(acme);
    await pam.service.sql('UPDATE elevation_requests SET needs_ticket = true WHERE id = $1', [id]);
    return id;
  };
  const shown = async (id: string) => (await pam.as(ann).get(`/pam/elevation-requests/${id}`)).body.request;
});

const NONE = {
  reason: { mode: 'optional', minLetters: 0 },
  ticket: { mode: 'off', masks: [], hint: null },
  prompts: { hold: false },
};
const HINT = 'INC and four digits';
const TICKET = { mode: 'required', masks: ['INC-####'], hint: HINT };
