import { newId } from '@gatehouse/crypto';
import { CountRuleUse } from '@gatehouse/pam-store';
import { type Client, anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('the linter of rules', () => {
  let pam: PamHarness;
  let acme: Tenant;
  let admin: Client;
  besidePam((started) => (pam = started));

  it('PAM-190 names what it finds in the rules of an organisation', async () => {
    await anew();
    const first = (await create({})).body;
    expect(first.findings).toEqual([]);
    const second = (await create({ matchUser: 'ann', siteId: acme.siteId })).body;
    expect(second.findings).toMatchObject([
      { code: 'shadowed', severity: 'error', ruleId: second.rule.id, otherRuleId: first.rule.id },
    ]);
    const risky = await create({ matchHash: null, matchPathGlob: 'C:\\Users\\**' });
    expect([risky.status, codesOf(risky.body.findings)]).toEqual([201, ['user_writable_path']]);
    const lint = (await admin.get('/pam/rules/lint')).body;
    expect(lint).toMatchObject({ success: true, rulebookVersion: await pam.rulebookVersion(acme) });
    expect(codesOf(lint.findings)).toEqual(['shadowed', 'user_writable_path']);
    expect(await pam.service.metrics()).toMatch(
      /^gatehouse_pam_lint_findings_total\{code="user_writable_path".*\} [1-9]/m,
    );
    expect(Date.parse(lint.checkedAt)).toBeGreaterThan(0);
    await pam.siteIsGone(acme, acme.siteId);
    expect(codesOf((await admin.get('/pam/rules/lint')).body.findings)[0]).toBe('unreachable');
    const elsewhere = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [acme.otherSiteId] }));
    expect(codesOf((await elsewhere.get('/pam/rules/lint')).body.findings)).toEqual(['user_writable_path']);
    const partner = pam.as(aPartnerAdmin(newId()));
    expect((await partner.get(`/pam/rules/lint?orgId=${acme.orgId}`)).body.code).toBe('organization_not_found');
  });

  it('PAM-196 LINT-03 refuses risky rules by every way where the organisation wants it', async () => {
    await anew();
    const early = (await create({ matchHash: null, matchSigner: 'Acme' })).body.rule;
    expect((await refuse()).body.config).toMatchObject({ riskyRules: 'refuse' });
    const again = await admin.put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval' });
    expect(again.body.config.riskyRules).toBe('refuse');
    const refused = await create({ matchHash: null, matchPathGlob: 'C:\\Users\\**' });
    expect(refused.body).toMatchObject({ status: 400, code: 'pam_rule_risky' });
    expect(codesOf(refused.body.findings)).toEqual(['user_writable_path']);
    expect((await create({ verdict: 'auto_deny', matchHash: null, matchPathGlob: 'D:\\Users\\**' })).status).toBe(201);
    const { id } = (await create({ matchPathGlob: 'C:\\Users\\**' })).body.rule;
    const patch = (body: object, of = id) => admin.patch(`/pam/rules/${of}`).send(body);
    expect((await patch({ matchHash: null })).body.code).toBe('pam_rule_risky');
    expect((await patch({ verdict: 'auto_deny', matchHash: null })).status).toBe(200);
    expect((await patch({ verdict: 'ignore' })).body.code).toBe('pam_rule_risky');
    expect((await patch({ enabled: false }, early.id)).status).toBe(200);
    expect((await patch({ enabled: true }, early.id)).body.code).toBe('pam_rule_risky');
    const group = (await admin.post('/pam/signer-groups').send({ name: 'Vendors', signers: ['Acme'] })).body
      .signerGroup;
    expect((await create({ matchSignerGroupId: group.id, matchHash: 'cd'.repeat(32) })).status).toBe(201);
    const emptied = await admin.patch(`/pam/signer-groups/${group.id}`).send({ signers: [] });
    expect([emptied.body.code, codesOf(emptied.body.findings)]).toEqual(['pam_rule_risky', ['unreachable']]);
    expect((await admin.patch(`/pam/signer-groups/${group.id}`).send({ signers: ['Beta'] })).status).toBe(200);
    const sister = await pam.tenant(acme.partnerId);
    const risky = (
      await create({ matchHash: null, matchSigner: 'X' }, pam.as(anOrgAdmin(sister.partnerId, sister.orgId)))
    ).body;
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const copies = partner.post(`/pam/rules/${risky.rule.id}/copies`);
    expect((await copies.send({ orgIds: [acme.orgId] })).body.copies[0].code).toBe('pam_rule_risky');
    const wide = { ownerScope: 'partner', precedence: 'after', matchHash: null, matchPathGlob: 'C:\\Users\\**' };
    expect(codesOf((await create(wide, partner)).body.findings)).toEqual(['user_writable_path']);
  });

  it('PAM-350 a signer group is not widened under a rule that was risky before the organisation refused such', async () => {
    await anew();
    await admin.put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval', riskyRules: 'warn' });
    const group = (await admin.post('/pam/signer-groups').send({ name: 'Trusted', signers: ['Acme', 'Beta'] })).body
      .signerGroup;
    const { id } = (await create({ matchHash: null, matchSignerGroupId: group.id })).body.rule;
    await refuse();
    const change = (body: object) => admin.patch(`/pam/signer-groups/${group.id}`).send(body);
    const widened = await change({ signers: ['Acme', 'Beta', 'Gamma'] });
    expect([widened.status, widened.body.code, codesOf(widened.body.findings)]).toEqual([
      400,
      'pam_rule_risky',
      ['name_only_signer'],
    ]);
    expect((await change({ signers: ['Acme'], name: 'Few' })).status).toBe(200);
    expect((await change({ signers: ['Beta'] })).body.code).toBe('pam_rule_risky');
    expect((await admin.patch(`/pam/rules/${id}`).send({ enabled: false })).status).toBe(200);
    expect((await change({ signers: ['Acme', 'Beta', 'Gamma'] })).status).toBe(200);
  });

  it('ATK-164 PAM-351 an allowlist does not grant by a path that a user can write to, where the organisation refuses it', async () => {
    await anew();
    await refuse();
    const policy = (rules: object[], more: object = {}) =>
      admin.post('/pam/software-policies').send({
        name: 'Tools',
        mode: 'allowlist',
        target: { level: 'organization', id: acme.orgId },
        rules: rules.map((rule) => ({ name: 'tool', ...rule })),
        ...more,
      });
    for (const pathGlob of ['C:\\Users\\**', '**\\tool.exe', 'C:\\Windows\\System32\\spool\\**', '%TEMP%\\*.exe']) {
      const refused = await policy([{ pathGlob, sha256: 'ab'.repeat(32) }]);
      expect([refused.status, refused.body.code]).toEqual([400, 'pam_rule_risky']);
      expect(codesOf(refused.body.findings)).toEqual(['user_writable_path']);
    }
    expect((await policy([{ pathGlob: 'C:\\Users\\**' }], { mode: 'blocklist' })).status).toBe(201);
    const waiting = (await policy([{ pathGlob: 'C:\\Users\\**' }], { enabled: false })).body.softwarePolicy;
    const change = (id: string, body: object) => admin.patch(`/pam/software-policies/${id}`).send(body);
    expect((await change(waiting.id, { enabled: true })).body.code).toBe('pam_rule_risky');
    const { id } = (await policy([{ pathGlob: 'C:\\Program Files\\Acme\\**' }])).body.softwarePolicy;
    expect((await change(id, { rules: [{ name: 'x', pathGlob: 'D:\\Users\\*\\x.exe' }] })).body.code).toBe(
      'pam_rule_risky',
    );
    const audited = (await policy([{ pathGlob: 'C:\\Users\\**' }], { mode: 'audit' })).body.softwarePolicy;
    expect((await change(audited.id, { mode: 'allowlist' })).body.code).toBe('pam_rule_risky');
  });

  it('PAM-198 LINT-04 rules expire at an instant', async () => {
    await anew();
    for (const expiresAt of [inDays(-1), inDays(5 * 366), '2030-01-01', '2030-01-01T00:00:00', 'tomorrow', 0])
      expect((await create({ expiresAt })).body.code).toBe('validation_failed');
    const made = (await create({ expiresAt: inDays(10) })).body;
    expect(codesOf(made.findings)).toEqual(['expiring']);
    expect((await admin.patch(`/pam/rules/${made.rule.id}`).send({ name: 'New' })).body.rule.expiresAt).toBe(
      made.rule.expiresAt,
    );
    await pam.service.sql(`UPDATE pam_rules SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      made.rule.id,
    ]);
    expect((await admin.get('/pam/rules')).body.rules[0]).toMatchObject({
      expired: true,
      updatedBy: expect.any(String),
    });
    expect(codesOf((await admin.get('/pam/rules/lint')).body.findings)).toEqual(['expired']);
    const cleared = await admin.patch(`/pam/rules/${made.rule.id}`).send({ expiresAt: null });
    expect([cleared.body.rule.expiresAt, cleared.body.findings]).toEqual([null, []]);
  });

  it('PAM-197 counts the use of rules', async () => {
    await anew();
    const technician = await pam.technician(acme);
    const { id } = (await create({ matchHash: null, matchUser: technician.email })).body.rule;
    const asked = await pam
      .as(technician)
      .post('/pam/elevation-requests')
      .send({ deviceId: acme.deviceId, reason: 'x' });
    expect(asked.status).toBe(201);
    await pam.service.sql(
      `INSERT INTO pam_rule_usage (rule_id, day, partner_id, org_id, matches, last_matched_at)
        VALUES ($1, (now() - interval '40 days')::date, $2, $3, 7, now() - interval '40 days')`,
      [id, acme.partnerId, acme.orgId],
    );
    await pam.service.service.app.get(CountRuleUse).store();
    const [rule] = (await admin.get('/pam/rules')).body.rules;
    const usage = (query = '') => admin.get(`/pam/rules/usage${query}`);
    const [used] = (await usage()).body.usage;
    expect([rule.matches30d, used.matches]).toEqual([used.matches, rule.matches30d]);
    expect((await usage('?windowDays=60')).body).toMatchObject({
      windowDays: 60,
      usage: [{ ruleId: id, matches: 7 + used.matches, lastMatchedAt: rule.lastMatchedAt }],
    });
    for (const windowDays of [0, 91, 'x', 1.5])
      expect((await usage(`?windowDays=${windowDays}`)).body.code).toBe('validation_failed');
  });

  const anew = async (): Promise<void> => {
    acme = await pam.tenant();
    admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  };

  const create = (body: object, client = admin) =>
    client.post('/pam/rules').send({ name: 'Rule', verdict: 'auto_approve', matchHash: HASH, ...body });
  const refuse = () =>
    admin.put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval', riskyRules: 'refuse' });
  const codesOf = (findings: { code: string }[]): string[] => findings.map(({ code }) => code);
});

const HASH = 'ab'.repeat(32);
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
