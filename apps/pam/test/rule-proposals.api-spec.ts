import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
const sister = await pam.tenant(acme.partnerId);
const ann = await pam.technician(acme);
afterAll(() => pam.stop());

describe('rules from requests', () => {
  it('PAM-249 proposes three rules with their matches of 30 days and what the linter finds', async () => {
    const facts = `target_executable_hash = '${HASH}', target_executable_signer = 'Acme', parent_image = 'explorer.exe'`;
    const granted = `${facts}, status = 'expired', approved_by = '${ann.userId}', decided_at = now()`;
    const id = await prompt(granted);
    await prompt(facts, 'D:\\Setup.exe');
    const { status, body } = await proposed(id);
    expect(status).toBe(200);
    const { expiresAt, ...strict } = body.proposals[0].rule;
    expect(strict).toEqual({
      orgId: acme.orgId,
      name: 'Setup.exe (strict)',
      verdict: 'auto_approve',
      matchHash: HASH,
      matchPathGlob: 'C:\\Tools\\Setup.exe',
      matchParentImage: 'explorer.exe',
    });
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS)).toBe(180);
    expect(body).toMatchObject({
      success: true,
      proposals: [
        { level: 'strict', why: expect.any(String), whyNot: null, matched30d: 1, findings: [] },
        {
          level: 'balanced',
          rule: { verdict: 'auto_approve', matchSigner: 'Acme', matchPathGlob: '**/Setup.exe' },
          matched30d: 2,
          findings: [{ code: 'user_writable_path', ruleId: 'balanced', severity: 'error' }],
        },
        { level: 'broad', rule: { verdict: 'require_approval', matchSigner: 'Acme' }, matched30d: 2, findings: [] },
      ],
    });
    expect((await proposed(await prompt(`${facts}, status = 'denied'`))).body.proposals[2].rule.verdict).toBe(
      'auto_deny',
    );
    expect((await proposed(await prompt(facts))).body.proposals[0].rule.verdict).toBe('require_approval');
    expect((await proposed(id, '?verdict=auto_deny')).body.proposals[1].rule.verdict).toBe('auto_deny');
    for (const query of ['?verdict=maybe', '?level=strict'])
      expect((await proposed(id, query)).body.code).toBe('validation_failed');
    const first = await create({ ...strict, name: 'First', matchPathGlob: null, fromRequestId: id });
    expect(first.status).toBe(201);
    expect((await proposed(id)).body.proposals[0].findings).toMatchObject([
      { code: 'shadowed', ruleId: 'strict', otherRuleId: first.body.rule.id },
    ]);
  });

  it('PAM-250 keeps the request that a rule was made from', async () => {
    const id = await prompt(`target_executable_hash = '${'cd'.repeat(32)}'`);
    const [{ rule: draft }] = (await proposed(id, '?verdict=auto_approve')).body.proposals;
    const made = await create({ ...draft, fromRequestId: id });
    expect(made.body.rule).toMatchObject({ fromRequestId: id, expiresAt: draft.expiresAt });
    const read = await pam.as(ann).get(`/pam/rules/${made.body.rule.id}`);
    expect(read.body.rule.fromRequestId).toBe(id);
    const changed = await pam.as(ann).patch(`/pam/rules/${made.body.rule.id}`).send({ name: 'New' });
    expect(changed.body.rule.fromRequestId).toBe(id);
    const audits = await pam.service.audits('pam.rule.create');
    expect(audits.find(({ resource }) => resource.id === made.body.rule.id)?.details).toMatchObject({
      fromRequestId: id,
    });
    expect((await create({ ...draft, name: 'Typed' })).body.rule.fromRequestId).toBeNull();
    const patch = await pam.as(ann).patch(`/pam/rules/${made.body.rule.id}`).send({ fromRequestId: id });
    expect(patch.body.code).toBe('no_updates_provided');
  });

  it('DRAFT-01 holds the request of a person who made the rule from the own request', async () => {
    const policy = { levels: [], separation: { ruleEditors: true } };
    expect((await pam.as(ann).put('/pam/approval-policy').send(policy)).status).toBe(200);
    const { id } = await ask();
    const [{ rule: draft }] = (await proposed(id, '?verdict=auto_approve')).body.proposals;
    expect(draft).toMatchObject({ siteId: acme.siteId, matchUser: expect.any(String) });
    expect((await create({ ...draft, fromRequestId: id })).status).toBe(201);
    const again = await ask();
    expect(again.status).toBe('pending');
    const [row] = await pam.service.sql<{ held: string }>('SELECT held FROM elevation_requests WHERE id = $1', [
      again.id,
    ]);
    expect(row?.held).toBe('separation_of_duties');
  });

  it('DRAFT-02 takes no signs of a glob from a path, and only denies what is disguised', async () => {
    const hash = `target_executable_hash = '${'ef'.repeat(32)}'`;
    const wild = (await proposed(await prompt(hash, 'C:\\*\\Set?p.exe'))).body.proposals;
    expect(wild[0].rule.matchPathGlob).toBeUndefined();
    const odd = await prompt(hash, 'C:\\Windows\\..\\Temp\\Setup.exe');
    const nothing = (await proposed(odd)).body.proposals;
    expect(nothing.map(({ rule }: { rule: object | null }) => rule)).toEqual([null, null, null]);
    expect(nothing[0]).toMatchObject({ why: null, whyNot: expect.any(String), matched30d: 0, findings: [] });
    expect((await proposed(odd, '?verdict=auto_deny')).body.proposals[1].rule.verdict).toBe('auto_deny');
  });

  it('DRAFT-03 knows no request of another organisation, site or tenant', async () => {
    const hash = `target_executable_hash = '${HASH}'`;
    const [own, foreign] = [await prompt(hash), await prompt(hash, undefined, sister)];
    const elsewhere = await pam.request(acme, { deviceId: acme.otherDeviceId });
    const draft = { name: 'Rule', verdict: 'auto_deny', matchHash: HASH, orgId: acme.orgId };
    const from = async (fromRequestId: unknown, as = ann) => {
      const { status, body } = await create({ ...draft, fromRequestId }, as);
      return [status, body.code];
    };
    const partner = aPartnerAdmin(acme.partnerId);
    const confined = anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.siteId] });
    expect(await from(foreign)).toEqual([404, 'elevation_request_not_found']);
    expect(await from(newId())).toEqual([404, 'elevation_request_not_found']);
    expect(await from(foreign, partner)).toEqual([400, 'validation_failed']);
    for (const value of ['x', 7, null]) expect(await from(value)).toEqual([400, 'validation_failed']);
    const site = await create({ ...draft, siteId: acme.siteId, fromRequestId: elsewhere }, confined);
    expect([site.status, site.body.code]).toEqual([403, 'site_access_denied']);
    expect((await proposed(foreign)).body.code).toBe('elevation_request_not_found');
    expect((await proposed(elsewhere, '', confined)).body.code).toBe('site_access_denied');
    const reader = anOrgAdmin(acme.partnerId, acme.orgId, { permissions: ['devices:read'] });
    expect((await proposed(own, '', reader)).body.code).toBe('permission_denied');
    expect((await proposed(own, '', partner)).status).toBe(200);
  });

  const proposed = (id: string, query = '', as = ann) =>
    pam.as(as).get(`/pam/elevation-requests/${id}/rule-proposals${query}`);
  const create = (body: object, as = ann) => pam.as(as).post('/pam/rules').send(body);
  const prompt = async (columns: string, path = 'C:\\Tools\\Setup.exe', of = acme): Promise<string> => {
    const id = await pam.request(of, { path });
    await pam.service.sql(`UPDATE elevation_requests SET ${columns} WHERE id = $1`, [id]);
    return id;
  };
  const ask = async (): Promise<{ id: string; status: string; held?: string }> =>
    (await pam.as(ann).post('/pam/elevation-requests').send({ deviceId: acme.deviceId, reason: 'patch' })).body;
});

const HASH = 'ab'.repeat(32);
const DAY_MS = 86_400_000;
