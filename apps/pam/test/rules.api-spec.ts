import { RulebookChanged } from '@gatehouse/contracts-pam';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@gatehouse/crypto';
import { PamHarness } from './pam.harness.ts';

const HASH = 'AB'.repeat(32);

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('what decides requests', () => {
  it.each(['rules', 'rules?effective=true', 'signer-groups', 'replays'])(
    'PAM-193 are listed as none at once to a caller who reaches no organisation: %s',
    async (list) => {
      const nowhere = pam.as(aPartnerAdmin(acme.partnerId, { orgs: [] }));
      const answer = await nowhere.get(`/pam/${list}`);
      expect([answer.status, Object.values(answer.body)]).toEqual([200, [true, []]]);
      expect((await nowhere.get(`/pam/${list.split('?')[0]}?orgId=${acme.orgId}`)).status).toBe(404);
    },
  );

  it.each([
    ['lint', { findings: [] }],
    ['usage', { usage: [] }],
  ])('PAM-193 have nothing to tell a caller who reaches no organisation: %s', async (part, nothing) => {
    const nowhere = pam.as(aPartnerAdmin(acme.partnerId, { orgs: [] }));
    expect((await nowhere.get(`/pam/rules/${part}`)).body).toMatchObject({ success: true, ...nothing });
    expect((await nowhere.get(`/pam/rules/${part}?orgId=${acme.orgId}`)).status).toBe(404);
  });

  describe('rules', () => {
    it('are created with the defaults of the specification, bumping the rulebook with one event and one audit entry', async () => {
      const before = await pam.rulebookVersion(acme);
      const answer = await create({ matchPathGlob: 'C:\\Tools\\**\\*.exe', name: ' Tools ' });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        success: true,
        rule: {
          orgId: acme.orgId,
          name: 'Tools',
          verdict: 'auto_approve',
          priority: 100,
          enabled: true,
          siteId: null,
          matchSigner: null,
          approvalDurationMinutes: null,
          version: 1,
          createdBy: expect.any(String),
        },
      });
      expect(answer.body.rule).not.toHaveProperty('partnerId');
      expect(await pam.rulebookVersion(acme)).toBe(before + 1);
      expect((await pam.service.emitted(RulebookChanged)).at(-1)?.data).toEqual({
        orgId: acme.orgId,
        partnerId: acme.partnerId,
        version: before + 1,
      });
      expect(
        (await pam.service.audits('pam.rule.create')).filter(({ resource }) => resource.id === answer.body.rule.id),
      ).toHaveLength(1);
    });

    it('PAM-31 keep a hash in lower case and take blank criteria for none', async () => {
      expect((await create({ matchHash: HASH, matchUser: '  ' })).body.rule).toMatchObject({
        matchHash: HASH.toLowerCase(),
        matchUser: null,
      });
      expect((await create({ matchUser: ' ' })).body.code).toBe('pam_rule_invalid');
    });

    it('PAM-38 are listed by priority, then age', async () => {
      const own = await pam.tenant();
      const client = pam.as(anOrgAdmin(own.partnerId, own.orgId));
      for (const [name, priority] of [
        ['third', 100],
        ['first', 1],
        ['fourth', 100],
        ['second', 50],
      ] as const)
        await create({ name, priority, matchSigner: 'Contoso' }, client);
      const { body } = await client.get('/pam/rules');
      expect(body.rules.map(({ name }: { name: string }) => name)).toEqual(['first', 'second', 'third', 'fourth']);
      expect(body.rules[0]).toMatchObject({ matchRiskTierStale: false, matchRiskTierValidTiers: null });
    });

    it.each([
      ['no criterion', {}],
      ['only a time window', { timeWindow: { start: '09:00', end: '17:00' } }],
      ['mixed shapes', { matchHash: HASH, matchToolName: 'run_script' }],
      ['a tool rule that ignores', { matchToolName: 'run_script', verdict: 'ignore' }],
      ['a signer and a group', { matchSigner: 'x', matchSignerGroupId: newId() }],
    ])('PAM-36 are refused with %s', async (_, body) => {
      expect((await create(body)).body).toMatchObject({ status: 400, code: 'pam_rule_invalid' });
    });

    it('PAM-36 are refused with a tier that the tool cannot have, naming those that it can', async () => {
      expect((await create({ matchToolName: 'run_script', matchRiskTier: 1 })).body).toMatchObject({
        status: 400,
        code: 'pam_rule_risk_tier_unreachable',
        validTiers: [4],
      });
      expect((await create({ matchToolName: 'a_tool_of_tomorrow', matchRiskTier: 1 })).status).toBe(201);
    });

    it.each([
      { name: '' },
      { name: 'x'.repeat(256) },
      { verdict: 'maybe' },
      { priority: 1.5 },
      { priority: '1' },
      { priority: 2 ** 31 },
      { priority: -1 },
      { enabled: 'false' },
      { matchHash: 'a'.repeat(63) },
      { matchHash: 'a'.repeat(65) },
      { matchHash: 'g'.repeat(64) },
      { matchRiskTier: 5 },
      { matchNegate: ['colour'] },
      { approvalDurationMinutes: 0 },
      { approvalDurationMinutes: 1441 },
      { siteId: 'x' },
      { timeWindow: { start: '24:00', end: '01:00' } },
      { timeWindow: { start: '09:00', end: '10:00', days: [7] } },
      { timeWindow: { start: '09:00', end: '10:00', timezone: 'Mars/X' } },
      { timeWindow: [] },
      { matchCommandLine: 'a\0b' },
    ])('PAM-31, PAM-38, PAM-42 are refused with %j', async (fault) => {
      const answer = await create({ matchSigner: 'Contoso', ...fault });
      expect(answer.status).toBe(400);
    });

    it('take nothing of another organisation: site or signer group', async () => {
      const other = await pam.tenant(acme.partnerId);
      const { body } = await pam
        .as(anOrgAdmin(other.partnerId, other.orgId))
        .post('/pam/signer-groups')
        .send({ name: 'Theirs' });
      expect((await create({ matchUser: 'ann', siteId: other.siteId })).body).toMatchObject({
        status: 400,
        code: 'site_not_in_org',
      });
      expect((await create({ matchSignerGroupId: body.signerGroup.id })).body).toMatchObject({
        status: 400,
        code: 'signer_group_not_in_org',
      });
    });

    it('can be switched off when their site is gone', async () => {
      const own = await pam.tenant();
      const client = pam.as(anOrgAdmin(own.partnerId, own.orgId));
      const { id } = (await create({ matchUser: 'ann', siteId: own.siteId }, client)).body.rule;
      await pam.siteIsGone(own, own.siteId);
      expect((await create({ matchUser: 'ann', siteId: own.siteId }, client)).body.code).toBe('site_not_in_org');
      expect((await client.patch(`/pam/rules/${id}`).send({ enabled: false })).body.rule).toMatchObject({
        enabled: false,
        siteId: own.siteId,
      });
    });

    it('PAM-36 are updated as a whole: the merged rule is what is checked', async () => {
      const id = await newRule({ matchSigner: 'Contoso' });
      const patch = (body: object) => admin().patch(`/pam/rules/${id}`).send(body);
      expect((await patch({ matchSigner: null })).body.code).toBe('pam_rule_invalid');
      expect((await patch({ matchToolName: 'run_script' })).body.code).toBe('pam_rule_invalid');
      expect((await patch({ matchSigner: null, matchUser: 'ann', priority: 7 })).body.rule).toMatchObject({
        matchSigner: null,
        matchUser: 'ann',
        priority: 7,
        version: 2,
      });
      expect((await patch({ name: null })).status).toBe(400);
      expect((await patch({})).body.code).toBe('no_updates_provided');
      expect((await patch({ colour: 'red' })).body).toMatchObject({
        code: 'no_updates_provided',
        issues: [{ path: 'colour', message: 'is not known' }],
      });
    });

    it('are deleted', async () => {
      const id = await newRule({ matchSigner: 'Contoso' });
      expect((await admin().delete(`/pam/rules/${id}`)).body).toEqual({ success: true });
      expect((await admin().delete(`/pam/rules/${id}`)).body).toMatchObject({ status: 404, code: 'rule_not_found' });
    });

    it('are out of sight and reach of other organisations', async () => {
      const id = await newRule({ matchSigner: 'Contoso' });
      const stranger = pam.as(aPartnerAdmin(newId()));
      expect((await stranger.patch(`/pam/rules/${id}`).send({ priority: 1 })).status).toBe(404);
      expect((await stranger.delete(`/pam/rules/${id}`)).status).toBe(404);
      expect((await stranger.get(`/pam/rules?orgId=${acme.orgId}`)).body.code).toBe('organization_not_found');
      expect((await create({ matchSigner: 'x', orgId: acme.orgId }, stranger)).body.code).toBe(
        'organization_not_found',
      );
    });

    it('show callers confined to sites the rules of the whole organisation, read-only', async () => {
      const whole = await newRule({ matchSigner: 'Contoso', name: 'whole' });
      const there = await newRule({ matchSigner: 'Contoso', name: 'there', siteId: acme.otherSiteId });
      const ids = (await atSite().get('/pam/rules')).body.rules.map(({ id }: { id: string }) => id);
      expect([ids.includes(whole), ids.includes(there)]).toEqual([true, false]);
      for (const id of [whole, there]) {
        expect((await atSite().patch(`/pam/rules/${id}`).send({ priority: 1 })).body.code).toBe('site_access_denied');
        expect((await atSite().delete(`/pam/rules/${id}`)).body.code).toBe('site_access_denied');
      }
      expect((await create({ matchSigner: 'x' }, atSite())).body.code).toBe('site_access_denied');
      expect((await create({ matchSigner: 'x', siteId: acme.otherSiteId }, atSite())).body.code).toBe(
        'site_access_denied',
      );
      const mine = await create({ matchSigner: 'x', siteId: acme.siteId }, atSite());
      expect(mine.status).toBe(201);
      expect((await atSite().patch(`/pam/rules/${mine.body.rule.id}`).send({ siteId: null })).body.code).toBe(
        'site_access_denied',
      );
    });

    it('need an organisation’s name when several are in reach', async () => {
      const partner = pam.as(aPartnerAdmin(acme.partnerId));
      expect((await partner.get('/pam/rules')).body).toMatchObject({ status: 400, code: 'org_required' });
      expect((await create({ matchSigner: 'x' }, partner)).body.code).toBe('org_required');
      expect((await create({ matchSigner: 'x', orgId: acme.orgId }, partner)).status).toBe(201);
    });

    it('stay as they are below an archived organisation', async () => {
      const gone = await pam.tenant();
      const client = pam.as(anOrgAdmin(gone.partnerId, gone.orgId));
      const { body } = await create({ matchSigner: 'x' }, client);
      await pam.organizationIs(gone, 'archived', 2);
      expect((await create({ matchSigner: 'x' }, client)).body).toMatchObject({
        status: 409,
        code: 'organization_frozen',
      });
      expect((await client.delete(`/pam/rules/${body.rule.id}`)).body.code).toBe('organization_frozen');
      expect((await client.put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' })).body.code).toBe(
        'organization_frozen',
      );
      expect((await client.get('/pam/rules')).status).toBe(200);
    });

    it('need devices:write and a second factor to be changed', async () => {
      const weak = (overrides: object) => pam.as(anOrgAdmin(acme.partnerId, acme.orgId, overrides));
      expect((await create({ matchSigner: 'x' }, weak({ mfa: false }))).body.code).toBe('mfa_required');
      expect(
        (await create({ matchSigner: 'x' }, weak({ permissions: ['devices:read', 'devices:execute'] }))).body.code,
      ).toBe('permission_denied');
      expect((await weak({ permissions: ['devices:read'], mfa: false }).get('/pam/rules')).status).toBe(200);
    });
  });

  describe('signer groups', () => {
    it('PAM-34 hold each signer once, trimmed, whatever its case', async () => {
      const answer = await group({ signers: [' Contoso ', 'CONTOSO', 'Fabrikam'], description: 'trusted' });
      expect(answer.status).toBe(201);
      expect(answer.body.signerGroup).toEqual({
        id: expect.any(String),
        orgId: acme.orgId,
        ownerScope: 'organization',
        name: 'Vendors',
        description: 'trusted',
        signers: ['Contoso', 'Fabrikam'],
        version: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    });

    it('PAM-34 take 500 signers of 255 characters', async () => {
      const signers = Array.from({ length: 500 }, (_, at) => `${at}`.padEnd(255, 'x'));
      const { id } = (await group({ signers: signers.slice(1) })).body.signerGroup;
      const changed = await admin().patch(`/pam/signer-groups/${id}`).send({ signers });
      expect(changed.body.signerGroup.signers).toEqual(signers);
    });

    it('PAM-34 take a signer of 255 characters, whatever spaces stand around it', async () => {
      expect((await group({ signers: [` ${'x'.repeat(255)} `] })).body.signerGroup.signers).toEqual(['x'.repeat(255)]);
    });

    it.each([
      { name: '' },
      { name: null },
      { signers: Array.from({ length: 501 }, (_, at) => `s${at}`) },
      { signers: ['x'.repeat(256)] },
      { signers: [' '] },
      { signers: [1] },
      { signers: 'x' },
      { description: 'x'.repeat(2001) },
    ])('are refused with %#', async (body) => {
      expect((await group(body)).status).toBe(400);
    });

    it('are changed in part, bumping the rulebook', async () => {
      const { id } = (await group({ signers: ['A'] })).body.signerGroup;
      const before = await pam.rulebookVersion(acme);
      expect(
        (
          await admin()
            .patch(`/pam/signer-groups/${id}`)
            .send({ signers: ['B'] })
        ).body.signerGroup,
      ).toMatchObject({ name: 'Vendors', signers: ['B'] });
      expect(await pam.rulebookVersion(acme)).toBe(before + 1);
      expect(
        (await pam.as(aPartnerAdmin(newId())).patch(`/pam/signer-groups/${id}`).send({ signers: [] })).body.code,
      ).toBe('signer_group_not_found');
    });

    it('PAM-34 cannot be deleted while rules refer to them; the answer names how many', async () => {
      const { id } = (await group({ signers: ['A'] })).body.signerGroup;
      const rules = [await newRule({ matchSignerGroupId: id }), await newRule({ matchSignerGroupId: id })];
      const refused = await admin().delete(`/pam/signer-groups/${id}`);
      expect(refused.body).toMatchObject({
        status: 409,
        code: 'signer_group_in_use',
        detail: expect.stringContaining('2 rules'),
      });
      for (const rule of rules) await admin().delete(`/pam/rules/${rule}`);
      expect((await admin().delete(`/pam/signer-groups/${id}`)).body).toEqual({ success: true });
      expect(
        (await admin().get('/pam/signer-groups')).body.signerGroups.map((known: { id: string }) => known.id),
      ).not.toContain(id);
    });

    it('belong to the whole organisation: callers confined to sites cannot change them', async () => {
      const { id } = (await group({})).body.signerGroup;
      expect((await group({}, atSite())).body.code).toBe('site_access_denied');
      expect((await atSite().patch(`/pam/signer-groups/${id}`).send({ name: 'x' })).body.code).toBe(
        'site_access_denied',
      );
      expect((await atSite().delete(`/pam/signer-groups/${id}`)).body.code).toBe('site_access_denied');
    });

    const group = (body: object, client = admin()) =>
      client.post('/pam/signer-groups').send({ name: 'Vendors', ...body });
  });

  describe('config', () => {
    it('asks a person when no row exists, and takes a new default verdict', async () => {
      const own = await pam.tenant();
      const client = pam.as(anOrgAdmin(own.partnerId, own.orgId));
      expect((await client.get('/pam/config')).body).toEqual({
        success: true,
        config: {
          orgId: own.orgId,
          defaultUnmatchedVerdict: 'require_approval',
          defaultApprovalMinutes: 15,
          riskyRules: 'warn',
          allowSelfApproval: false,
          approveReasons: [],
          denyReasons: [],
          version: 0,
        },
      });
      const before = await pam.rulebookVersion(own);
      expect(
        (await client.put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny', defaultApprovalMinutes: 60 }))
          .body.config,
      ).toMatchObject({ defaultUnmatchedVerdict: 'auto_deny', defaultApprovalMinutes: 60 });
      expect(await pam.rulebookVersion(own)).toBe(before + 1);
      expect(
        (await client.put('/pam/config').send({ defaultUnmatchedVerdict: 'require_approval' })).body.config,
      ).toMatchObject({ defaultApprovalMinutes: 60 });
      expect((await client.get('/pam/config')).body.config.defaultUnmatchedVerdict).toBe('require_approval');
      const changes = (await pam.service.audits('pam.config.update')).filter(({ result }) => result === 'success');
      expect(changes).toHaveLength(2);
    });

    it('PAM-360 keeps the reasons for decisions, trimmed, until they are sent again, and audits what they were', async () => {
      const own = await pam.tenant();
      const client = pam.as(anOrgAdmin(own.partnerId, own.orgId));
      const put = async (members: object) =>
        (await client.put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny', ...members })).body.config;
      const kept = { approveReasons: ['Known installer'], denyReasons: ['Not licensed', 'Ask your manager'] };
      expect(
        await put({ approveReasons: ['  Known installer '], denyReasons: ['Not licensed', 'Ask your manager\n'] }),
      ).toMatchObject(kept);
      expect(await put({})).toMatchObject(kept);
      expect(await put({ denyReasons: [] })).toMatchObject({ ...kept, denyReasons: [] });
      expect((await client.get('/pam/config')).body.config).toMatchObject({ ...kept, denyReasons: [], version: 3 });
      const audits = (await pam.service.audits('pam.config.update')).filter(
        ({ resource }) => resource.id === own.orgId,
      );
      const changes = audits.map(({ details }) => details['changes']);
      expect(changes.at(0)).toMatchObject({ approveReasons: { before: [], after: kept.approveReasons } });
      expect(changes.at(-1)).toEqual({ denyReasons: { before: kept.denyReasons, after: [] } });
    });

    it.each([
      ['more than ten', Array.from({ length: 11 }, (_, at) => `reason ${at}`)],
      ['one of 201 characters', ['x'.repeat(201)]],
      ['an empty one', ['  ']],
      ['one twice, in other letters', ['Known installer', ' KNOWN installer']],
      ['a number', [7]],
      ['a text instead of a list', 'Known installer'],
      ['null', null],
    ])('PAM-361 refuses reasons for decisions with %s, and changes nothing', async (_, reasons) => {
      const own = await pam.tenant();
      const client = pam.as(anOrgAdmin(own.partnerId, own.orgId));
      for (const member of ['approveReasons', 'denyReasons']) {
        const body = { defaultUnmatchedVerdict: 'auto_deny', [member]: reasons };
        const refused = (await client.put('/pam/config').send(body)).body;
        expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
        expect(JSON.stringify(refused.issues)).toContain(member);
      }
      expect((await client.get('/pam/config')).body.config).toMatchObject({ version: 0, approveReasons: [] });
    });

    it('is refused from a caller confined to sites, and with an unknown verdict', async () => {
      expect((await atSite().put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_deny' })).body.code).toBe(
        'site_access_denied',
      );
      expect((await admin().put('/pam/config').send({ defaultUnmatchedVerdict: 'auto_approve' })).status).toBe(400);
      expect((await admin().put('/pam/config').send({})).status).toBe(400);
    });
  });

  const admin = () => pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
  const atSite = (siteId = acme.siteId) => pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { sites: [siteId] }));
  const create = (body: object, client = admin()) =>
    client.post('/pam/rules').send({ name: 'Rule', verdict: 'auto_approve', ...body });
  const newRule = async (body: object): Promise<string> => (await create(body)).body.rule.id;
});
