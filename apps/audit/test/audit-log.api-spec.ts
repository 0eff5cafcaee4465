import { newId } from '@gatehouse/crypto';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { anApiKey, anOrgAdmin, aPartnerAdmin, aPartnerTechnician, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { AuditConfig } from '../src/audit.config.ts';
import { EntriesRepository } from '../src/log/entries.repository.ts';
import { aRecord, AuditHarness } from './audit.harness.ts';

const [partner, otherPartner, org, otherOrg, mergedOrg, foreignOrg, site] = Array.from({ length: 7 }, newId) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const audit = await AuditHarness.start();
await audit.record(
  aRecord({ timestamp: '2026-11-01T00:00:00.001Z' }),
  aRecord({ partnerId: partner, timestamp: '2026-11-01T00:00:00.002Z', action: 'partner.update' }),
  aRecord({
    partnerId: partner,
    orgId: org,
    timestamp: '2026-11-02T00:00:00.000Z',
    result: 'denied',
    details: { code: 'mfa_required' },
  }),
  aRecord({
    partnerId: partner,
    orgId: org,
    siteId: site,
    timestamp: '2026-12-02T00:00:00.000Z',
    resource: { type: 'site', id: site, name: '=1+1' },
  }),
  aRecord({ partnerId: partner, orgId: otherOrg, timestamp: '2026-11-03T00:00:00.000Z' }),
  aRecord({ partnerId: partner, orgId: mergedOrg, timestamp: '2020-01-01T00:00:00.000Z' }),
  aRecord({ partnerId: otherPartner, orgId: foreignOrg, clientRequestId: 'order-7' }),
);
afterAll(() => audit.stop());

describe('GET /audit-logs', () => {
  it('answers entries newest first with every member of the contract', async () => {
    const [entry] = (await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs')).body.data;
    expect(entry).toEqual({
      id: expect.any(String),
      sequence: 3,
      timestamp: '2026-12-02T00:00:00.000Z',
      chain: partner,
      partnerId: partner,
      orgId: org,
      siteId: site,
      actor: { type: 'user', id: expect.any(String), name: 'Ada' },
      action: 'site.create',
      resource: { type: 'site', id: site, name: '=1+1' },
      result: 'success',
      details: { changedFields: ['name'], ratio: 0.1 },
      ip: '203.0.113.5',
      userAgent: 'test',
      requestId: expect.any(String),
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const times = (await listed(aPartnerAdmin(partner))).map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("shows the client's own request id of an entry beside ours, and the chain verifies with it (R-60)", async () => {
    const api = audit.service.as(aPartnerAdmin(otherPartner));
    const [entry] = (await api.get('/audit-logs')).body.data;
    expect(entry).toMatchObject({ clientRequestId: 'order-7', requestId: expect.not.stringContaining('order-7') });
    expect((await api.get('/audit-logs/verify')).body).toMatchObject({ valid: true, length: 1 });
  });

  it('shows the system all, a partner its own, and an organisation its own, by row security alone too', async () => {
    expect(await listed(aSystemAdmin())).toHaveLength(7);
    expect((await listed(aPartnerAdmin(partner))).every(({ partnerId }) => partnerId === partner)).toBe(true);
    expect(await listed(aPartnerAdmin(partner))).toHaveLength(5);
    expect(await listed(aPartnerAdmin(partner, { orgs: [org] }))).toHaveLength(2);
    expect(await listed(aPartnerAdmin(partner, { orgs: [] }))).toHaveLength(0);
    expect((await listed(anOrgAdmin(partner, org))).map(({ orgId }) => orgId)).toEqual([org, org]);
    expect(await listed(anOrgAdmin(partner, org, { sites: [site] }))).toHaveLength(1);
    expect(await listed(anOrgAdmin(partner, org), `?orgId=${otherOrg}`)).toHaveLength(0);
    expect(await listed(aPartnerAdmin(partner), `?orgId=${foreignOrg}`)).toHaveLength(0);
    const shown = await audit.service.service.platform.store?.requests.transaction(async (manager) => {
      await manager.query(`SET LOCAL app.partner_id = '${partner}'; SET LOCAL app.org_ids = '{${org}}'`);
      return manager.query('SELECT DISTINCT org_id AS organization FROM audit_entries');
    });
    expect(shown).toEqual([{ organization: org }]);
  });

  it("shows a merged organisation's log through the survivor", async () => {
    await audit.service.deliver(OrganizationChanged, {
      orgId: mergedOrg,
      partnerId: partner,
      name: 'Old',
      status: 'churned',
      deleted: true,
      mergedIntoId: otherOrg,
      version: 2,
    });
    expect(await listed(anOrgAdmin(partner, otherOrg))).toHaveLength(2);
    await audit.service.deliver(OrganizationChanged, {
      orgId: otherOrg,
      partnerId: partner,
      name: 'Mid',
      status: 'churned',
      deleted: true,
      mergedIntoId: org,
      version: 2,
    });
    await audit.service.deliver(OrganizationChanged, {
      orgId: otherOrg,
      partnerId: partner,
      name: 'Mid',
      status: 'active',
      deleted: false,
      mergedIntoId: null,
      version: 1,
    });
    expect(await listed(anOrgAdmin(partner, org))).toHaveLength(4);
    expect(await listed(aPartnerAdmin(partner), `?orgId=${org}`)).toHaveLength(4);
  });

  it.each([
    ['action=partner.update', 1],
    ['action=partner.*', 1],
    ['action=partner.update&action=site.*', 5],
    ['action=partner.update,site.create', 5],
    ['action=part*', 0],
    ['action=site_create', 0],
    ['search=1%2B', 1],
    ['search=ADA', 5],
    ['search=%25', 0],
    ['search=&action=site.*', 4],
    ['result=denied', 1],
    ['resourceType=site', 5],
    [`resourceId=${site}`, 1],
    ['from=2026-11-02T00:00:00.000Z', 3],
    ['to=2026-11-02T00:00:00Z', 2],
    ['from=2026-11-01T00:00:00.002Z&to=2026-11-01T00:00:00.003Z', 1],
    [`actorId=${newId()}`, 0],
  ])('narrows by %s', async (query, count) => {
    expect(await listed(aPartnerAdmin(partner), `?${query}`)).toHaveLength(count);
  });

  it('AUD-38 finds acts by what their sentences say, by the program, and by who asked', async () => {
    const owner = newId();
    const told = { targetExecutablePath: String.raw`C:\Temp\Setup.exe`, subjectUsername: 'maria' };
    const about = (action: 'submit' | 'approve' | 'expire', type: 'user' | 'agent' | 'system', details: object) =>
      aRecord({
        partnerId: owner,
        actor: { type, id: newId(), name: 'Ada' },
        action: `pam.elevation_request.${action}`,
        resource: { type: 'pam.elevation_request', id: newId(), name: 'LT-0412' },
        details: { ...details },
      });
    await audit.record(
      about('submit', 'agent', { status: 'auto_approved' }),
      about('approve', 'user', told),
      about('expire', 'system', { toolName: 'manage_service', requestedByName: 'Ole' }),
    );
    const found = async (query: string) => (await listed(aPartnerAdmin(owner), `?${query}`)).length;
    expect(await found('search=approved&searchActions=pam.elevation_request.approve')).toBe(2);
    expect(await found('search=nothing&searchActions=pam.elevation_request.approve,pam.elevation_request.expire')).toBe(
      2,
    );
    expect(await found('searchActions=pam.elevation_request.expire')).toBe(1);
    for (const text of ['setup.exe', 'MARIA', 'manage_service', 'ole'])
      expect([text, await found(`search=${text}`)]).toEqual([text, 1]);
    expect(await found('actorType=user,api_key')).toBe(1);
    expect(await found('actorType=agent&actorType=system')).toBe(2);
    // No action begins with `pam.elevation.`: the prefix stands for the names that go on.
    expect(await found('action=pam.elevation.*')).toBe(3);
    expect(await found('action=pam.*')).toBe(3);
  });

  it.each(['kim@m\u00fcller.example', 'KIM@xn--mller-kva.example', 'm\u00fcller.example', 'Bj\u00f6rn'])(
    'AUD-38 finds whoever is named in it by %s, whichever spelling of a mail domain was stored',
    async (text) => {
      const owner = newId();
      const named = (name: string) =>
        aRecord({ partnerId: owner, resource: { type: 'user', id: newId(), name }, details: { invited: true } });
      await audit.record(named('kim@xn--mller-kva.example'), named('Bj\u00f6rn'));
      expect(await listed(aPartnerAdmin(owner), `?search=${encodeURIComponent(text)}`)).toHaveLength(1);
    },
  );

  it('AUD-36 looks through a bounded number of entries for each page, and reads on from there', async () => {
    const config = audit.service.service.app.get(AuditConfig);
    const usual = config.auditSearchedEntries;
    config.auditSearchedEntries = 2;
    const client = audit.service.as(aPartnerAdmin(partner));
    const pages: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await client.get(`/audit-logs?resourceType=site&result=success${cursor && `&cursor=${cursor}`}`);
      pages.push(body.data.length);
      cursor = body.nextCursor;
    }
    expect([pages.reduce((sum, count) => sum + count), Math.max(...pages)]).toEqual([4, 2]);
    expect((await client.get(`/audit-logs?actorId=${newId()}`)).body).toMatchObject({
      data: [],
      nextCursor: expect.any(String),
    });
    config.auditSearchedEntries = usual;
  });

  it('pages by a cursor, without a gap and without a repetition', async () => {
    const client = audit.service.as(aPartnerAdmin(partner));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await client.get(`/audit-logs?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual((await client.get('/audit-logs')).body.data.map(({ id }: { id: string }) => id));
  });

  it.each([
    'result=odd',
    'from=yesterday',
    'from=2026-02-30T00:00:00Z',
    'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
    'orgId=1',
    'cursor=abc',
    'searchActions=pam.elevation_request.approved',
    'actorType=person',
    `action=${'a'.repeat(101)}`,
    'result=denied&result=success',
    'from[$gt]=1',
    'result[]=x',
    'actorId=nobody',
  ])('refuses %s', async (query) => {
    expect((await audit.service.as(aPartnerAdmin(partner)).get(`/audit-logs?${query}`)).status).toBe(400);
  });

  it('shows one entry by its id, within the reach of the caller only (AUD-30)', async () => {
    const [own] = (await audit.service.as(anOrgAdmin(partner, org)).get('/audit-logs?limit=1')).body.data;
    const open = (principal: Parameters<typeof audit.service.as>[0], id: string = own.id) =>
      audit.service.as(principal).get(`/audit-logs/${id}`);
    for (const reader of [anOrgAdmin(partner, org), aPartnerAdmin(partner), aSystemAdmin()])
      expect((await open(reader)).body).toEqual({ data: own });
    const merged = await audit.service.sql<{ id: string }>('SELECT id FROM audit_entries WHERE org_id = $1', [
      mergedOrg,
    ]);
    expect((await open(anOrgAdmin(partner, org), merged[0]?.id)).status).toBe(200);
    const refused = [
      await open(anOrgAdmin(partner, otherOrg)),
      await open(aPartnerAdmin(otherPartner)),
      await open(aPartnerAdmin(partner, { orgs: [] })),
      await open(anOrgAdmin(partner, org, { sites: [newId()] })),
      await open(aPartnerAdmin(partner), newId()),
      await open(aPartnerTechnician(partner)),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      ...Array<string>(5).fill('audit_entry_not_found'),
      'permission_denied',
    ]);
  });

  it('needs audit:read, and export needs audit:export', async () => {
    expect((await audit.service.as(aPartnerTechnician(partner)).get('/audit-logs')).body).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    const reader = anApiKey({ level: 'partner', partnerId: partner, permissions: ['audit:read'] });
    expect((await audit.service.as(reader).get('/audit-logs')).status).toBe(200);
    expect((await audit.service.as(reader).get('/audit-logs/export')).status).toBe(403);
    expect(await audit.service.audits('audit.export')).toMatchObject([
      { result: 'denied', actor: { type: 'api_key' } },
    ]);
    expect((await audit.service.as(null).get('/audit-logs')).status).toBe(401);
  });
});

describe('GET /audit-logs/export', () => {
  it('streams one entry per line in the order of the chain, and is itself recorded', async () => {
    const before = (await audit.service.audits('audit.export')).length;
    const { text, headers } = await audit.service
      .as(aPartnerAdmin(partner, { orgs: [org, otherOrg] }))
      .get('/audit-logs/export')
      .buffer(true)
      .parse((response, done) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString())).on('end', () => done(null, body));
      })
      .then(({ body, headers: own }) => ({ text: body as string, headers: own }));
    expect(headers['content-type']).toContain('application/x-ndjson');
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sequence: number; orgId: string });
    expect(entries.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
    const recorded = await audit.service.audits('audit.export');
    expect(recorded.length).toBe(before + 1);
    expect(recorded.at(-1)?.details).toEqual({ format: 'jsonl', filters: [] });
  });

  it('as CSV makes no formula of a name', async () => {
    const { text } = await audit.service
      .as(aPartnerAdmin(partner))
      .get(`/audit-logs/export?format=csv&resourceId=${site}`);
    expect(text.split('\r\n')[0]).toContain('previousHash,hash');
    expect(text).toContain('"\'=1+1"');
  });

  it('goes no faster than its reader: what is not taken is not read either', async () => {
    const [owner, entries, inStretch] = [newId(), 20_000, 250];
    await audit.fill(owner, entries);
    const read = jest.spyOn(audit.service.service.app.get(EntriesRepository), 'stretch');
    const { url, headers } = await audit.service.addressFor(aPartnerAdmin(owner), '/audit-logs/export');
    const response = await fetch(url, { headers });
    const takenWhilePaused = (await untilStill(() => read.mock.calls.length)) * inStretch;
    let lines = 0;
    for await (const chunk of response.body ?? [])
      lines +=
        Buffer.from(chunk as Uint8Array)
          .toString('latin1')
          .split('\n').length - 1;
    read.mockRestore();
    // What the buffers of two connections hold is some 20 of 80 MB.
    expect(takenWhilePaused).toBeLessThan(entries / 2);
    expect(lines).toBe(entries);
  });

  it('gives a partner no other chain than its own', async () => {
    expect(
      (await audit.service.as(aPartnerAdmin(partner)).get(`/audit-logs/export?chain=${otherPartner}`)).status,
    ).toBe(404);
    expect((await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs/verify?chain=system')).status).toBe(404);
    expect(
      (await audit.service.as(aPartnerAdmin(partner)).get(`/audit-logs/export?chain=${partner.toUpperCase()}`)).status,
    ).toBe(200);
  });
});

const listed = async (
  principal: Parameters<typeof audit.service.as>[0],
  query = '',
): Promise<{ orgId: string | null; partnerId: string | null; timestamp: string }[]> => {
  const { status, body } = await audit.service.as(principal).get(`/audit-logs${query}`);
  expect(status).toBe(200);
  return body.data;
};

/** The value once it has not changed for a second. */
async function untilStill(value: () => number): Promise<number> {
  for (let before = -1; before !== value();) {
    before = value();
    await wait(1_000);
  }
  return value();
}
