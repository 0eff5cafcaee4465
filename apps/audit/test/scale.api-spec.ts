import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aRecord, AuditHarness, envelopeOf } from './audit.harness.ts';

/** `AUDIT_SCALE=10` runs it in full: 100 000 events, an export of 1 000 000 entries. */
const SCALE = Number(process.env['AUDIT_SCALE'] ?? 1);
const EVENTS = 10_000 * SCALE;
const EXPORTED = 100_000 * SCALE;
const MEGABYTE = 1024 * 1024;

let audit: AuditHarness;
beforeAll(async () => {
  audit = await AuditHarness.start();
});
afterAll(() => audit.stop());

describe('at scale', () => {
  it(`takes ${EVENTS} events with none missing and none doubled, and finds one altered byte among them`, async () => {
    const partner = newId();
    const client = audit.service.as(aPartnerAdmin(partner));
    for (let sent = 0; sent < EVENTS; sent += 5_000) await audit.publish(Array.from({ length: 5_000 }, (_, at) => envelopeOf(aRecord({ partnerId: partner, details: { at: sent + at } }))));
    await audit.until(EVENTS, 60 * SCALE);
    const facts = await audit.service.sql('SELECT count(*)::int AS entries, max(sequence)::int AS last, count(DISTINCT id)::int AS events FROM audit_entries WHERE chain = $1', [partner]);
    expect(facts).toEqual([{ entries: EVENTS, last: EVENTS, events: EVENTS }]);
    expect((await client.get('/audit-logs/verify')).body).toMatchObject({ valid: true, length: EVENTS });
    await audit.tamper(`UPDATE audit_entries SET ip = '203.0.113.6' WHERE chain = '${partner}' AND sequence = ${EVENTS - 7}`);
    expect((await client.get('/audit-logs/verify')).body).toMatchObject({ valid: false, firstBadSequence: EVENTS - 7 });
  }, 90_000 * SCALE);

  it(`exports ${EXPORTED} entries in flat memory`, async () => {
    const partner = newId();
    await audit.tamper(`INSERT INTO chains VALUES ('${partner}', '${partner}', ${EXPORTED}, repeat('1', 64), ${EXPORTED});
      INSERT INTO audit_entries SELECT gen_random_uuid(), '${partner}', n, now(), '${partner}', NULL, NULL, 'user', 'u', 'Ada', 'site.create', 'site', NULL, 'HQ', 'success',
        '{"changedFields":["name"]}', '203.0.113.5', 'test', 'r', repeat('0', 64), repeat('1', 64) FROM generate_series(1, ${EXPORTED}) n`);
    const before = process.memoryUsage().rss;
    let [lines, peak] = [0, before];
    await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs/export').buffer(true).maxResponseSize(10_000 * MEGABYTE).parse((response, done) => {
      response.on('data', (chunk: Buffer | string) => {
        lines += chunk.toString().split('\n').length - 1;
        peak = Math.max(peak, process.memoryUsage().rss);
      });
      response.on('end', () => done(null, null));
    });
    process.stdout.write(`export of ${lines} entries: ${Math.round(before / MEGABYTE)} MB before, ${Math.round(peak / MEGABYTE)} MB at the most\n`);
    expect(lines).toBe(EXPORTED);
    expect(peak - before).toBeLessThan(200 * MEGABYTE);
  }, 60_000 * SCALE);
});
