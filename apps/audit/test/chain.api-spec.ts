import { asService } from '@gatehouse/contracts-core';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { aPartnerAdmin, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { AppendEvents } from '../src/appending/append-events.ts';
import { type AuditLogEntry, hashOf } from '../src/chain/link.ts';
import { SignCheckpoints } from '../src/checkpoints/sign-checkpoints.ts';
import { checkpointSigned } from '../src/checkpoints/published-checkpoints.ts';
import { EntriesRepository } from '../src/log/entries.repository.ts';
import { aRecord, AuditHarness, envelopeOf } from './audit.harness.ts';

const ENTRIES = 2_500;
const partner = newId();

const audit = await AuditHarness.start();
const envelopes = Array.from({ length: ENTRIES }, (_, at) =>
  envelopeOf(aRecord({ partnerId: partner, details: { at } })),
);
await audit.publish(envelopes);
await audit.publish(
  envelopes.slice(0, 600),
  envelopes.slice(0, 600).map(() => newId()),
);
await audit.until(ENTRIES);
await audit.record(aRecord(), aRecord({ partnerId: newId() }));
afterAll(() => audit.stop());

describe('the chain', () => {
  it('holds every event once, in their order, however often it was delivered', async () => {
    const [facts] = await audit.service.sql<{ entries: number; last: number; events: number }>(
      `SELECT count(*)::int AS entries, max(sequence)::int AS last, count(DISTINCT id)::int AS events FROM audit_entries
        WHERE chain = $1`,
      [partner],
    );
    expect(facts).toEqual({ entries: ENTRIES, last: ENTRIES, events: ENTRIES });
    const rows = await audit.service.sql<{ at: number }>(
      `SELECT (details->>'at')::int AS at FROM audit_entries WHERE chain = $1 ORDER BY sequence`,
      [partner],
    );
    expect(rows.map(({ at }) => at)).toEqual(Array.from({ length: ENTRIES }, (_, at) => at));
  });

  it('is apart for each partner, and one for the system', async () => {
    expect(await verdict()).toMatchObject({
      valid: true,
      chain: partner,
      length: ENTRIES,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const system = audit.service.as(aSystemAdmin());
    expect((await system.get('/audit-logs/verify')).body).toMatchObject({ valid: true, chain: 'system', length: 1 });
    const ofPartner = await system.get(`/audit-logs/verify?chain=${partner}`);
    expect(ofPartner.body).toMatchObject({ valid: true, length: ENTRIES });
    for (const read of ['verify', 'export', 'checkpoints'])
      expect((await system.get(`/audit-logs/${read}?chain=${newId()}`)).status).toBe(404);
  });

  it('has no fork when replicas append to it at once', async () => {
    const owner = newId();
    const { app } = audit.service.service;
    const append = (tx: Tx) => app.get(AppendEvents).append(tx, [envelopeOf(aRecord({ partnerId: owner }))]);
    await Promise.all(Array.from({ length: 8 }, () => app.get(UnitOfWork).background(asService('audit'), append)));
    const { body } = await audit.service.as(aPartnerAdmin(owner)).get('/audit-logs/verify');
    expect(body).toMatchObject({ valid: true, length: 8 });
  });

  it('is verified in pieces of a few megabytes, with names of the longest that devices report', async () => {
    const owner = newId();
    await audit.record(
      ...Array.from({ length: 600 }, () =>
        aRecord({ partnerId: owner, resource: { type: 'elevation_request', id: newId(), name: 'n'.repeat(30_000) } }),
      ),
    );
    const stretches = jest.spyOn(EntriesRepository.prototype, 'stretch');
    expect((await audit.service.as(aPartnerAdmin(owner)).get('/audit-logs/verify')).body).toMatchObject({
      valid: true,
      length: 600,
    });
    const read = await Promise.all(stretches.mock.results.map(({ value }) => value as Promise<object[]>));
    stretches.mockRestore();
    expect(Math.max(...read.map((entries) => JSON.stringify(entries).length))).toBeLessThan(10_000_000);
  });

  it('is signed every thousand rows and on the clock, and the checkpoints are published', async () => {
    await checkpoint();
    const { body } = await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs/checkpoints');
    const lengths = body.data.map(({ length }: { length: number }) => length);
    expect(lengths.at(-1)).toBe(ENTRIES);
    expect(
      Math.max(...lengths.map((length: number, at: number) => length - (lengths[at - 1] ?? 0))),
    ).toBeLessThanOrEqual(1_200);
    expect(body.jwks.keys[0]).not.toHaveProperty('d');
    const published = await audit.service.emitted(checkpointSigned(partner));
    expect(published.map(({ data }) => data.length)).toEqual(lengths);
    await checkpoint();
    expect(await audit.service.emitted(checkpointSigned(partner))).toHaveLength(published.length);
  });

  it('is sealed when an organisation in it is purged', async () => {
    const [owner, orgId] = [newId(), newId()];
    await audit.record(aRecord({ partnerId: owner, orgId }));
    await audit.service.deliver(OrganizationChanged, {
      orgId,
      partnerId: owner,
      name: 'Gone',
      status: 'purging',
      deleted: false,
      mergedIntoId: null,
      version: 1,
    });
    await audit.service.deliver(TenantDataRequested, {
      runId: newId(),
      step: 'purge',
      sourceId: orgId,
      targetId: null,
    });
    expect((await audit.service.emitted(checkpointSigned(owner))).map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ chain: owner, length: 1 }),
    );
  });

  it('shows one altered byte, by the number of its entry', async () => {
    await audit.tamper(
      `UPDATE audit_entries SET details = jsonb_set(details, '{at}', '1500') WHERE chain = '${partner}'
        AND sequence = 1500`,
    );
    expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: 1500 });
    await audit.tamper(
      `UPDATE audit_entries SET details = jsonb_set(details, '{at}', '1499') WHERE chain = '${partner}'
        AND sequence = 1500`,
    );
    expect(await verdict()).toMatchObject({ valid: true });
  });

  it('shows an entry that was altered and hashed anew, by the one after it', async () => {
    const owner = newId();
    await audit.record(...Array.from({ length: 3 }, () => aRecord({ partnerId: owner })));
    const admin = audit.service.as(aPartnerAdmin(owner));
    const entries = (await admin.get('/audit-logs')).body.data as AuditLogEntry[];
    const forged = { ...entries.find(({ sequence }) => sequence === 2)!, details: { at: 'forged' } };
    await audit.tamper(`UPDATE audit_entries SET details = '{"at": "forged"}', hash = '${hashOf(forged)}'
      WHERE id = '${forged.id}'`);
    expect((await admin.get('/audit-logs/verify')).body).toMatchObject({ valid: false, firstBadSequence: 3 });
  });

  it('shows a removed entry, and removed last entries by a checkpoint even when the count was put right', async () => {
    await audit.tamper(`CREATE TABLE aside AS SELECT * FROM audit_entries WHERE chain = '${partner}'
      AND sequence > 2490; DELETE FROM audit_entries WHERE chain = '${partner}' AND sequence > 2490;
      UPDATE chains SET length = 2490, head = (SELECT hash FROM audit_entries WHERE chain = '${partner}'
        AND sequence = 2490) WHERE chain = '${partner}'`);
    expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: 2491 });
    await audit.tamper(
      `INSERT INTO audit_entries SELECT * FROM aside; UPDATE chains
        SET length = 2500, head = (SELECT hash FROM aside WHERE sequence = 2500) WHERE chain = '${partner}'; DELETE
        FROM audit_entries WHERE chain = '${partner}' AND sequence = 7`,
    );
    expect(await verdict()).toMatchObject({ valid: false, firstBadSequence: 7 });
  });

  it('shows a forged checkpoint', async () => {
    const other = newId();
    await audit.record(aRecord({ partnerId: other }));
    await checkpoint();
    await audit.tamper(`UPDATE checkpoints SET signed_at = signed_at + interval '1 day' WHERE chain = '${other}'`);
    expect((await audit.service.as(aPartnerAdmin(other)).get('/audit-logs/verify')).body).toMatchObject({
      valid: false,
      firstBadSequence: 1,
    });
  });
});

describe('storage', () => {
  const statements = [
    "UPDATE audit_entries SET result = 'x'",
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    "UPDATE checkpoints SET head = 'x'",
    'DELETE FROM checkpoints',
    'TRUNCATE checkpoints',
    'DELETE FROM audit_entries_default',
    'TRUNCATE audit_entries_default',
    'SELECT FROM audit_entries_default',
  ];

  it.each(statements)('AUD-06: refuses the runtime role: %s', async (statement) => {
    await expect(execute(audit.service.database?.appUrl ?? '', statement)).rejects.toThrow('permission denied');
  });

  it.each(statements.filter((statement) => !statement.startsWith('SELECT')))(
    'refuses even the owner: %s',
    async (statement) => {
      await expect(execute(audit.service.database?.ownerUrl ?? '', statement)).rejects.toThrow(/append-only/);
    },
  );

  it('keeps each month in a partition of its own', async () => {
    const rows = await audit.service.sql<{ tableoid: string }>(
      `SELECT DISTINCT tableoid::regclass::text AS tableoid FROM audit_entries`,
    );
    expect(rows.map(({ tableoid }) => tableoid)).toEqual([
      `audit_entries_${new Date().toISOString().slice(0, 7).replace('-', '_')}`,
    ]);
  });

  it('buries what is no audit record and goes on with the rest', async () => {
    const broken = { ...envelopeOf(aRecord({ partnerId: partner })), data: { id: 'x' } };
    await audit.others.publish([{ id: newId(), subject: 'audit.identity', json: JSON.stringify(broken) }]);
    await audit.record(aRecord({ partnerId: newId() }));
  });
});

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const verdict = async (query = ''): Promise<unknown> =>
  (await audit.service.as(aPartnerAdmin(partner)).get(`/audit-logs/verify${query}`)).body;
const checkpoint = (): Promise<void> => audit.service.service.app.get(SignCheckpoints).sign();
