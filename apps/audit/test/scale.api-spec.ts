import { type CheckpointFile, type ChainReport, verifyExport } from '@gatehouse/audit-verify';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignCheckpoints } from '../src/checkpoints/sign-checkpoints.ts';
import { aRecord, AuditHarness, envelopeOf } from './audit.harness.ts';

/** A quarter of a minute alone on two cores. */
const TIMEOUT_MS = 300_000;

describe('thirty thousand events', () => {
  let audit: AuditHarness;
  beforeAll(async () => {
    audit = await AuditHarness.start();
    for (let sent = 0; sent < EVENTS; sent += PIECE)
      await audit.publish(
        Array.from({ length: PIECE }, (_, at) =>
          envelopeOf(aRecord({ partnerId: partner, details: { at: sent + at } })),
        ),
      );
    await audit.until(EVENTS, TIMEOUT_MS);
    await audit.service.service.app.get(SignCheckpoints).sign();
  }, TIMEOUT_MS);
  afterAll(() => audit.stop());

  it(
    'arrive, none missing and none doubled, in a chain that holds',
    async () => {
      const facts = await audit.service.sql(
        `SELECT count(*)::int AS entries, max(sequence)::int AS last, count(DISTINCT id)::int AS events
          FROM audit_entries WHERE chain = $1`,
        [partner],
      );
      expect(facts).toEqual([{ entries: EVENTS, last: EVENTS, events: EVENTS }]);
      expect(await verdict()).toMatchObject({ valid: true, length: EVENTS });
    },
    TIMEOUT_MS,
  );

  it(
    'show the last ones that a superuser removed, by their checkpoint, and the one byte that was changed, here and offline',
    async () => {
      await audit.tamper(`DELETE FROM audit_entries WHERE chain = '${partner}' AND sequence >= ${REMOVED_FROM};
      UPDATE chains SET length = ${REMOVED_FROM - 1}, head = (SELECT hash FROM audit_entries WHERE chain = '${partner}'
        AND sequence = ${REMOVED_FROM - 1}) WHERE chain = '${partner}'`);
      expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: REMOVED_FROM });
      await audit.tamper(
        `UPDATE audit_entries SET ip = '203.0.113.6' WHERE chain = '${partner}' AND sequence = ${ALTERED}`,
      );
      expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: ALTERED });

      const lines = await exported();
      expect(lines).toHaveLength(REMOVED_FROM - 1);
      expect(await offline(lines)).toMatchObject({ firstBadSequence: ALTERED, reason: 'was altered' });
      const mended = lines.map((line, at) => (at + 1 === ALTERED ? line.replace('203.0.113.6', '203.0.113.5') : line));
      expect(await offline(mended)).toMatchObject({
        firstBadSequence: REMOVED_FROM,
        reason: expect.stringContaining('missing'),
      });
    },
    TIMEOUT_MS,
  );

  const partner = newId();

  const client = () => audit.service.as(aPartnerAdmin(partner));
  const verdict = async (): Promise<object> => (await client().get('/audit-logs/verify')).body as object;

  /** The whole chain, as an auditor takes it away. */
  async function exported(): Promise<string[]> {
    const { url, headers } = await audit.service.addressFor(aPartnerAdmin(partner), '/audit-logs/export');
    return (await (await fetch(url, { headers })).text()).trimEnd().split('\n');
  }

  /** The verdict of an auditor who has only an export and the checkpoints. */
  async function offline(lines: readonly string[]): Promise<ChainReport | undefined> {
    const { body } = await client().get('/audit-logs/checkpoints');
    return (await verifyExport(lines, body as CheckpointFile))[0];
  }
});

const EVENTS = 30_000;
const PIECE = 5_000;
const REMOVED_FROM = EVENTS - 4;
const ALTERED = 18_541;
