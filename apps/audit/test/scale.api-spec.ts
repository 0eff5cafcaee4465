import { type CheckpointFile, type ChainReport, verifyExport } from '@gatehouse/audit-verify';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { SignCheckpoints } from '../src/checkpoints/sign-checkpoints.ts';
import { aRecord, AuditHarness, envelopeOf } from './audit.harness.ts';

const EVENTS = 100_000;
const PIECE = 5_000;
const REMOVED_FROM = EVENTS - 4;
const ALTERED = 61_803;

describe('a hundred thousand events', () => {
  const partner = newId();
  let audit: AuditHarness;
  beforeAll(async () => {
    audit = await AuditHarness.start();
    for (let sent = 0; sent < EVENTS; sent += PIECE) await audit.publish(Array.from({ length: PIECE }, (_, at) => envelopeOf(aRecord({ partnerId: partner, details: { at: sent + at } }))));
    await audit.until(EVENTS, 240);
    await audit.service.service.app.get(SignCheckpoints).execute();
  }, 300_000);
  afterAll(() => audit.stop());

  const client = () => audit.service.as(aPartnerAdmin(partner));
  const verdict = async (): Promise<object> => (await client().get('/audit-logs/verify')).body as object;

  /** As whoever has only an export and the checkpoints judges it. */
  async function offline(): Promise<ChainReport | undefined> {
    const { body } = await client().get('/audit-logs/checkpoints');
    const { body: reports } = await client().get('/audit-logs/export').buffer(true).parse((response, done) => {
      const input = new PassThrough();
      response.on('data', (chunk: string | Buffer) => input.write(chunk)).on('end', () => input.end());
      verifyExport(createInterface({ input }), body as CheckpointFile).then((found) => done(null, found), (error: Error) => done(error, null));
    });
    return (reports as ChainReport[])[0];
  }

  it('arrive, none missing and none doubled, in a chain that holds', async () => {
    const facts = await audit.service.sql('SELECT count(*)::int AS entries, max(sequence)::int AS last, count(DISTINCT id)::int AS events FROM audit_entries WHERE chain = $1', [partner]);
    expect(facts).toEqual([{ entries: EVENTS, last: EVENTS, events: EVENTS }]);
    expect(await verdict()).toMatchObject({ valid: true, length: EVENTS });
  }, 120_000);

  it('miss the last ones that a superuser removed, by their checkpoint, here and offline', async () => {
    await audit.tamper(`DELETE FROM audit_entries WHERE chain = '${partner}' AND sequence >= ${REMOVED_FROM};
      UPDATE chains SET length = ${REMOVED_FROM - 1}, head = (SELECT hash FROM audit_entries WHERE chain = '${partner}' AND sequence = ${REMOVED_FROM - 1}) WHERE chain = '${partner}'`);
    expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: REMOVED_FROM });
    expect(await offline()).toMatchObject({ firstBadSequence: REMOVED_FROM, reason: expect.stringContaining('missing') });
  }, 120_000);

  it('show the one byte that a superuser changed, here and offline', async () => {
    await audit.tamper(`UPDATE audit_entries SET ip = '203.0.113.6' WHERE chain = '${partner}' AND sequence = ${ALTERED}`);
    expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: ALTERED });
    expect(await offline()).toMatchObject({ firstBadSequence: ALTERED, reason: 'was altered' });
  }, 120_000);
});
