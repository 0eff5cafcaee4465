import { newId } from '@gatehouse/crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, aRule, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('the justification of a prompt', () => {
  let device: TestDevice;
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it.each<[Terms, object, string, string | null]>([
    [{ hold: true }, {}, 'pending', 'justification_missing'],
    [{ hold: true }, { reason: 'driver' }, 'auto_approved', null],
    [{ reason: 'required', minLetters: 9, hold: true }, { reason: 'driver' }, 'pending', 'justification_missing'],
    [{ reason: 'required', minLetters: 9, hold: true }, { reason: 'printer driver' }, 'auto_approved', null],
    [{ ticket: 'required', hold: true }, { reason: 'driver' }, 'pending', 'justification_missing'],
    [{ ticket: 'required', hold: true }, { ticket: 'X-1' }, 'pending', 'justification_missing'],
    [{ ticket: 'required', hold: true }, { ticket: 'inc-1' }, 'auto_approved', null],
    [{ reason: 'required', minLetters: 9, ticket: 'required' }, {}, 'auto_approved', null],
  ])('PAM-212 under %j a report with %j is %s', async (terms, body, status, held) => {
    await asks(terms);
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const answer = await tell(body);
    expect(answer.status).toBe(status);
    expect(await rowOf(answer.id)).toMatchObject({ status, held });
  });

  it('PAM-212 lets denials and ignores be', async () => {
    await asks({ reason: 'required', minLetters: 9, ticket: 'required', hold: true });
    await aRule(ingest, device, { match_signer: 'Acme Corp', verdict: 'auto_deny' });
    await aRule(ingest, device, { match_signer: 'Noise', verdict: 'ignore' });
    expect((await tell()).status).toBe('denied');
    expect((await tell({ target_executable_signer: 'Noise' })).status).toBe('ignored');
  });

  it('PAM-213 notes whether an approval needs a ticket, and keeps what was given', async () => {
    await asks({ ticket: 'required' });
    expect(await rowOf((await tell()).id)).toMatchObject({ status: 'pending', ticket: null, needsTicket: true });
    expect(await rowOf((await tell({ ticket: 'X' })).id)).toMatchObject({ ticket: 'X', needsTicket: true });
    const { id } = await tell({ ticket: ' INC-1 ' });
    expect(await rowOf(id)).toMatchObject({ ticket: 'INC-1', needsTicket: false });
    expect(await ingest.audits('pam.elevation_request.submit')).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ ticket: 'INC-1' }) }),
    );
    const long = await report(ingest.asAgent(device.token), device.id, aReport({ ticket: 'x'.repeat(101) }));
    expect(long.body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('PAM-213 needs a ticket also where no rulebook can be evaluated', async () => {
    await asks({ ticket: 'required' });
    await ingest.sql('ALTER TABLE signer_groups RENAME TO signer_groups_away');
    const { id } = await tell();
    await ingest.sql('ALTER TABLE signer_groups_away RENAME TO signer_groups');
    expect(await rowOf(id)).toMatchObject({ held: 'evaluator_error', needsTicket: true });
  });

  it('PAM-214 takes a reason that comes later, and decides nothing anew', async () => {
    await asks({ ticket: 'required', hold: true });
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const { id } = await tell();
    expect((await justify(id, { reason: ' printer driver ', unknown: true })).body).toEqual({ id, status: 'pending' });
    expect(await rowOf(id)).toMatchObject({ reason: 'printer driver', ticket: null, needsTicket: true });
    await justify(id, { reason: 'printer driver', ticket: 'INC-2' });
    await justify(id, { reason: 'printer driver, again' });
    const held = { status: 'pending', held: 'justification_missing', ticket: 'INC-2', needsTicket: false };
    expect(await rowOf(id)).toMatchObject(held);
    expect(await ingest.audits('pam.elevation_request.justify')).toContainEqual(
      expect.objectContaining({
        orgId: device.orgId,
        result: 'success',
        actor: expect.objectContaining({ type: 'agent', id: device.id }),
        resource: expect.objectContaining({ id }),
        details: expect.objectContaining({ reason: 'printer driver', ticket: 'INC-2' }),
      }),
    );
  });

  it('PAM-214 replaces no ticket with a text that is none, and no terms by those of now', async () => {
    await asks({ ticket: 'required' });
    const [{ id }, bare] = [await tell({ ticket: 'INC-1' }), await tell({ pid: 7 })];
    await justify(id, { reason: 'driver', ticket: 'X' });
    expect(await rowOf(id)).toMatchObject({ reason: 'driver', ticket: 'INC-1', needsTicket: false });
    await justify(id, { reason: 'driver', ticket: 'INC-2' });
    expect(await rowOf(id)).toMatchObject({ ticket: 'INC-2', needsTicket: false });
    await ingest.sql("UPDATE pam_justification_policies SET ticket_mode = 'off' WHERE org_id = $1", [device.orgId]);
    for (const given of [{}, { ticket: 'X' }]) {
      await justify(bare.id, { reason: 'driver', ...given });
      expect(await rowOf(bare.id)).toMatchObject({ ticket: given.ticket ?? null, needsTicket: true });
    }
  });

  it('TICKET-02 justifies pending requests of the own device only', async () => {
    const { id } = await tell();
    const neighbour = await aDevice(ingest, { partnerId: device.partnerId, orgId: device.orgId });
    const foreign = { status: 404, code: 'elevation_request_not_found' };
    expect((await justify(id, { reason: 'mine' }, neighbour)).body).toMatchObject(foreign);
    expect((await justify(newId(), { reason: 'mine' })).body).toMatchObject(foreign);
    const address = `/agents/${device.id}/elevation-requests/${id}/justification`;
    const other = await ingest.asAgent(neighbour.token).post(address).send({ reason: 'mine' });
    expect(other.body).toMatchObject({ status: 403, code: 'device_mismatch' });
    expect(await rowOf(id)).toMatchObject({ reason: null });

    await ingest.sql("UPDATE elevation_requests SET status = 'denied' WHERE id = $1", [id]);
    const decided = { status: 409, code: 'not_pending', currentStatus: 'denied' };
    expect((await justify(id, { reason: 'late' })).body).toMatchObject(decided);
    const lapsed = await tell();
    await ingest.sql('UPDATE elevation_requests SET pending_until = now() WHERE id = $1', [lapsed.id]);
    expect((await justify(lapsed.id, { reason: 'late' })).body).toMatchObject({ currentStatus: 'expired' });
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(2001) }, { reason: 'x', ticket: 'x'.repeat(101) }])
      expect((await justify(id, body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  const asks = ({ reason = 'optional', minLetters = 0, ticket = 'off', hold = false }: Terms) =>
    ingest.sql(
      `WITH j AS (INSERT INTO pam_justification_policies (org_id, partner_id, reason_mode, min_letters, ticket_mode,
        ticket_masks, hold_prompts) VALUES ($1, $2, $3, $4, $5, '{INC-#}', $6) RETURNING *)
       INSERT INTO rulebook_parts (kind, id, partner_id, org_id, value, valid_from)
         SELECT 'justification_policy', org_id, partner_id, org_id, to_jsonb(j), '-infinity' FROM j`,
      [device.orgId, device.partnerId, reason, minLetters, ticket, hold],
    );
  const rowOf = async (id: string) => {
    const [row] = await ingest.sql(
      `SELECT status, held, reason, ticket, needs_ticket AS "needsTicket" FROM elevation_requests WHERE id = $1`,
      [id],
    );
    return row;
  };
  const tell = async (body: object = {}): Promise<{ id: string; status: string }> =>
    (await report(ingest.asAgent(device.token), device.id, aReport({ ...body }))).body;
  const justify = (id: string, body: object, as = device) =>
    ingest.asAgent(as.token).post(`/agents/${as.id}/elevation-requests/${id}/justification`).send(body);
});

interface Terms {
  readonly reason?: 'optional' | 'required';
  readonly minLetters?: number;
  readonly ticket?: 'off' | 'optional' | 'required';
  readonly hold?: boolean;
}
