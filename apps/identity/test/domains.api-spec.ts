import { startFakeDns } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecheckDomains } from '../src/providers/domains/recheck-domains.ts';
import { SsoHarness, type Tenant } from './sso.harness.ts';

const SERVFAIL = 2;
const REFUSED = 5;

const dns = await startFakeDns();
const sso = await SsoHarness.start([], { DNS_SERVERS: dns.address });
afterAll(async () => {
  await sso.stop();
  await dns.stop();
});

describe('the proof of a domain', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await sso.tenant();
  });

  const admin = () => sso.service.as(tenant.admin);
  const add = (domain: string) => admin().post('/sso/domains').send({ orgId: tenant.orgId, domain });

  it.each<[string, (name: string) => void]>([
    ['SERVFAIL', (name) => dns.failing.set(name, SERVFAIL)],
    ['REFUSED', (name) => dns.failing.set(name, REFUSED)],
    ['silence', (name) => dns.silent.add(name)],
  ])('outlives any number of days of %s (ATK-24a)', async (_, fail) => {
    const { id, name, state, verify } = await proven();
    fail(name);
    for (let day = 0; day < 4; day++) {
      await aDayLater(id);
      await recheck();
    }
    expect(await verify()).toBe(400);
    expect(await state()).toEqual({ verified: true, misses: 0 });
    dns.failing.clear();
    dns.silent.clear();
    const [due] = await sso.service.sql<{ soon: boolean }>(
      `SELECT last_checked_at < now() - interval '22 hours' AS soon FROM sso_domains WHERE id = $1`,
      [id],
    );
    expect(due?.soon).toBe(true);
  });

  it('loses one day at most with any number of checks in a row (ATK-24b)', async () => {
    const { id, name, state, verify } = await proven();
    delete dns.records[name];
    for (let check = 0; check < 5; check++) expect(await verify()).toBe(400);
    expect(await state()).toEqual({ verified: true, misses: 1 });
    await aDayLater(id);
    await Promise.all([verify(), verify(), recheck()]);
    expect(await state()).toEqual({ verified: true, misses: 2 });
    await aDayLater(id);
    await recheck();
    expect(await state()).toEqual({ verified: false, misses: 3 });
  });

  it.each<[string, (name: string) => void]>([
    ['the name is gone', (name) => delete dns.records[name]],
    ['the name has no such record', (name) => (dns.records[name] = { A: ['8.8.8.8'] })],
    ['the record has another value', (name) => (dns.records[name] = { TXT: ['unrelated'] })],
  ])('ends on the third day on which %s (ATK-24b)', async (_, lose) => {
    const { id, name, state } = await proven();
    lose(name);
    const seen: unknown[] = [];
    for (let day = 0; day < 3; day++) {
      await aDayLater(id);
      await recheck();
      seen.push(await state());
    }
    expect(seen).toEqual([
      { verified: true, misses: 1 },
      { verified: true, misses: 2 },
      { verified: false, misses: 3 },
    ]);
  });

  it.each([
    'corp.example/x',
    'corp.example?x',
    'corp.example#x',
    'corp.example:443',
    'corp.example\\x',
    'user@corp.example',
    'https://corp.example',
    'corp.example.',
    'corp%2eexample',
    'corp。example／x',
    'corp\u200b.example',
    'corp.example\n.org',
  ])('is not begun for %j (ATK-24c)', async (domain) => {
    expect((await add(domain)).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'domain' }],
    });
  });

  it.each(['Münchén-x.example', ' Corp.Example '])('is begun for %j (ATK-24c)', async (domain) => {
    expect((await add(domain)).status).toBe(201);
  });

  const recheck = () => sso.service.service.app.get(RecheckDomains, { strict: false }).recheck();
  const aDayLater = (id: string) =>
    sso.service.sql(
      `UPDATE sso_domains SET last_checked_at = last_checked_at - interval '25 hours',
        last_missed_at = last_missed_at - interval '25 hours' WHERE id = $1`,
      [id],
    );

  async function proven(): Promise<{
    id: string;
    name: string;
    state: () => Promise<unknown>;
    verify: () => Promise<number>;
  }> {
    const {
      id,
      recordName: name,
      recordValue,
    } = (await add(`${newId()}.example`)).body.data as { id: string; recordName: string; recordValue: string };
    dns.records[name] = { TXT: [recordValue] };
    const verify = async (): Promise<number> => (await admin().post(`/sso/domains/${id}/verify`).send()).status;
    expect(await verify()).toBe(200);
    const state = async () =>
      (
        await sso.service.sql('SELECT verified_at IS NOT NULL AS verified, misses FROM sso_domains WHERE id = $1', [id])
      )[0];
    return { id, name, state, verify };
  }
});
