import type { Principal } from '@gatehouse/contracts-core';
import { PRESENT_PRINCIPAL, type PrincipalQuestion } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, anApiKey, aPartnerTechnician } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aRecord, AuditHarness } from './audit.harness.ts';

describe('the address of an export', () => {
  let audit: AuditHarness;
  beforeAll(async () => {
    audit = await AuditHarness.start();
    audit.others.reply<PrincipalQuestion>(PRESENT_PRINCIPAL, async (question) => ({
      principal: present.get(Object.values(question)[0] as string) ?? null,
    }));
    await audit.record(
      aRecord({ partnerId: partner, orgId: org, action: 'pam.rule.create' }),
      aRecord({ partnerId: partner, action: 'pam.rule.update' }),
      aRecord({ partnerId: partner, action: 'site.create' }),
      aRecord({ partnerId: otherPartner, action: 'pam.rule.create' }),
    );
    await audit.others.whenReady();
  });
  afterAll(() => audit.stop());

  it('downloads what its author asked for, once (AUD-31)', async () => {
    present.set(boss.sessionId ?? '', boss);
    const asked = await ask({ filter: { action: 'pam.*', orgId: org }, format: 'jsonl', chain: partner });
    expect([asked.status, Object.keys(asked.body)]).toEqual([201, ['url']]);
    const path = pathOf(asked);
    expect((await Object.assign(audit.service.as(null).get(path), { method: 'HEAD' })).status).toBe(404);
    expect((await lines(path)).map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      'pam.rule.create',
    ]);
    expect((await open(path)).body).toMatchObject({ status: 404, code: 'audit_export_not_found' });
    const entries = await audit.service.audits('audit.export');
    expect(entries.at(-1)).toMatchObject({ result: 'success', partnerId: partner, actor: { id: boss.userId } });
    for (const entry of [entries.at(-1), (await audit.service.audits('audit.export.prepare')).at(-1)])
      expect([...(entry?.details['filters'] as string[])].sort()).toEqual(['action', 'chain', 'orgId']);
    const csv = await open(pathOf(await ask({ format: 'csv', filter: { action: ['pam.*', 'site.create'] } })));
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    });
    expect(csv.text.trim().split('\r\n')).toHaveLength(4);
  });

  it('has no address for a period that ends before it begins', async () => {
    const filter = { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    const direct = audit.service.as(boss).get(`/audit-logs/export?${new URLSearchParams(filter).toString()}`);
    for (const { body } of [await ask({ filter }), await direct])
      expect(body).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: 'to' }] });
  });

  it('is used by one of many requests at once', async () => {
    present.set(boss.sessionId ?? '', boss);
    const path = pathOf(await ask());
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => open(path)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('dies after a minute, and with the session or the right of its author (AUD-31)', async () => {
    const stripped = { ...boss, permissions: ['audit:read'] as const };
    const fates: [string, () => unknown][] = [
      ['a minute', () => audit.service.sql("UPDATE export_links SET expires_at = now() - interval '1 millisecond'")],
      ['the session', () => present.delete(boss.sessionId ?? '')],
      ['the permission', () => present.set(boss.sessionId ?? '', stripped)],
      ['the partner', () => present.set(boss.sessionId ?? '', { ...boss, partnerActive: false })],
    ];
    for (const [what, end] of fates) {
      present.set(boss.sessionId ?? '', boss);
      const path = pathOf(await ask());
      await end();
      expect([what, (await open(path)).body.code]).toEqual([what, 'audit_export_not_found']);
      present.set(boss.sessionId ?? '', boss);
      expect([what, (await open(path)).status]).toEqual([what, 404]);
    }
    expect((await open('/audit-logs/exports/file?token=x')).status).toBe(404);
    expect((await open('/audit-logs/exports/file')).status).toBe(400);
  });

  it('works for an API key as long as the key does', async () => {
    present.set(key.id, key);
    expect((await open(pathOf(await ask({}, key)))).status).toBe(200);
    const path = pathOf(await ask({}, key));
    present.delete(key.id);
    expect((await open(path)).status).toBe(404);
  });

  it('is stored as a hash, and shown once under one idempotency key (AUD-31, IDY-122)', async () => {
    const under = (body = {}) => ask(body).set('Idempotency-Key', 'same');
    const [one, two, other] = [await under(), await under(), await under({ format: 'csv' })];
    expect([two.body.code, other.body.code]).toEqual(['idempotency_secret_shown', 'idempotency_key_reused']);
    const token = FILE.exec(one.body.url)?.[2] ?? '';
    const rows = await audit.service.sql(
      `SELECT to_json(l)::text AS row FROM export_links l UNION ALL SELECT to_json(k)::text FROM idempotency_keys k
        UNION ALL SELECT envelope::text FROM outbox`,
    );
    expect([two.body.id, token].map((text) => JSON.stringify(rows).includes(text))).toEqual([true, false]);
  });

  it('is for who may export, and for chains in reach', async () => {
    const refused = [
      await ask({}, aPartnerTechnician(partner)),
      await ask({ chain: otherPartner }),
      await ask({ filter: { orgID: org } }),
      await ask({ format: 'xml' }),
      await ask({ filter: { action: [null] } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'permission_denied'],
      [404, 'partner_not_found'],
      ...Array<unknown>(3).fill([400, 'validation_failed']),
    ]);
  });

  const [partner, otherPartner, org] = [newId(), newId(), newId()];
  const boss = aPartnerAdmin(partner, { sessionId: newId() });
  const key = anApiKey({ level: 'partner', partnerId: partner, permissions: ['audit:export'] });
  /** Who identity says that the authors are at present. */
  const present = new Map<string, Principal>();

  const ask = (body: object = {}, by: Principal = boss) => audit.service.as(by).post('/audit-logs/exports').send(body);
  const pathOf = ({ body }: { body: { url?: string } }): string => FILE.exec(body.url ?? '')?.[1] ?? 'no such address';
  const open = (path: string) => audit.service.as(null).get(path).buffer(true);
  const lines = async (path: string): Promise<string[]> =>
    (
      await open(path).parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => done(null, text));
      })
    ).body
      .trim()
      .split('\n');
});

const FILE = /^\/api\/v1(\/audit-logs\/exports\/file\?token=([\w-]{43}))$/;
