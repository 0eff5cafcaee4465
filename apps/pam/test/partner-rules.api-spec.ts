import { RulebookChanged, RuleOptedOut, RuleOptOutEnded } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, aSystemAdmin, type Client } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness, type Tenant } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
const globex = await pam.tenant(acme.partnerId);
await pam.partnerIs(acme);
afterAll(() => pam.stop());

describe('rules of a partner', () => {
  const admin = ({ partnerId, orgId } = acme, overrides: object = {}) =>
    pam.as(anOrgAdmin(partnerId, orgId, overrides));
  const optOut = (id: string, body: object = { reason: 'We use it' }, client: Client = admin()) =>
    client.put(`/pam/rules/${id}/opt-out`).send(body);

  describe('are written', () => {
    it('PAM-261 by callers with partner-wide policy rights, in the log of the partner', async () => {
      const answer = await create({ description: 'Known bad' });
      expect(answer.body.rule).toMatchObject({
        orgId: null,
        siteId: null,
        ownerScope: 'partner',
        precedence: 'before',
        optOut: 'none',
        version: 1,
      });
      const { id } = answer.body.rule;
      const [entry] = (await pam.service.audits('pam.rule.create')).filter(({ resource }) => resource.id === id);
      expect(entry).toMatchObject({ orgId: null, partnerId: acme.partnerId, details: { precedence: 'before' } });
      const patched = await partner()
        .patch(`/pam/rules/${id}`)
        .send({ optOut: 'allowed', verdict: 'require_approval' });
      expect(patched.body.rule).toMatchObject({ optOut: 'allowed', verdict: 'require_approval', version: 2 });
      await removed(id);
      expect((await partner().get(`/pam/rules/${id}`)).status).toBe(404);
    });

    it.each<[string, object, number, string]>([
      ['WIDE-02 grants in front', { verdict: 'auto_approve' }, 400, 'pam_rule_invalid'],
      ['ignores in front', { verdict: 'ignore', matchToolName: null, matchUser: 'a' }, 400, 'pam_rule_invalid'],
      ['names a site', { siteId: newId() }, 400, 'pam_rule_invalid'],
      ['has no effect yet', { mode: 'shadow' }, 400, 'pam_rule_invalid'],
      ['has no place', { precedence: undefined }, 400, 'validation_failed'],
      ['has an unknown place', { precedence: 'first' }, 400, 'validation_failed'],
      ['has an unknown way out', { optOut: 'maybe' }, 400, 'validation_failed'],
      ['names an organisation', { orgId: newId() }, 400, 'validation_failed'],
      [
        "names a group that is not the partner's",
        { matchToolName: null, matchSignerGroupId: newId() },
        400,
        'signer_group_not_in_org',
      ],
    ])('never when one %s', async (_, body, status, code) => {
      expect((await create(body)).body).toMatchObject({ status, code });
    });

    it("apart from the rules of organisations, which have no place among the partner's", async () => {
      const foreign = { ownerScope: undefined, orgId: acme.orgId };
      expect((await create(foreign)).body.issues).toEqual([expect.objectContaining({ path: 'precedence' })]);
      const own = { ...foreign, precedence: undefined };
      expect((await create({ ...own, optOut: 'none' })).body.issues).toEqual([
        expect.objectContaining({ path: 'optOut' }),
      ]);
      const { id } = (await create(own)).body.rule;
      const patched = await admin().patch(`/pam/rules/${id}`).send({ precedence: 'before' });
      expect(patched.body).toMatchObject({ status: 400, code: 'validation_failed' });
      expect((await admin().delete(`/pam/rules/${id}`)).status).toBe(200);
    });

    it('never so that a change makes one that comes before lenient', async () => {
      const [before, after] = [await created(), await created({ precedence: 'after', verdict: 'auto_approve' })];
      const patch = (id: string, body: object) => partner().patch(`/pam/rules/${id}`).send(body);
      expect((await patch(before, { verdict: 'auto_approve' })).body).toMatchObject({ code: 'pam_rule_invalid' });
      expect((await patch(after, { precedence: 'before' })).body).toMatchObject({ code: 'pam_rule_invalid' });
      await removed(before, after);
    });

    it('WIDE-03 by no technician with selected organisations, and by no organisation', async () => {
      const refused = { status: 403, code: 'partner_access_denied' };
      const [selected, id] = [partner({ orgs: [acme.orgId] }), await created()];
      expect((await create({}, selected)).body).toMatchObject(refused);
      expect((await create({}, admin())).body).toMatchObject(refused);
      expect((await create({}, partner({ permissions: ['devices:read', 'devices:write'] }))).body).toMatchObject(
        refused,
      );
      expect((await selected.patch(`/pam/rules/${id}`).send({ name: 'x' })).body).toMatchObject(refused);
      expect((await selected.delete(`/pam/rules/${id}`)).body).toMatchObject(refused);
      await removed(id);
    });

    it('for the partner that the system names', async () => {
      const system = pam.as(aSystemAdmin());
      expect((await create({}, system)).body).toMatchObject({ code: 'partner_required' });
      expect((await create({ partnerId: newId() }, system)).body).toMatchObject({ code: 'partner_not_found' });
      const answer = await create({ partnerId: acme.partnerId }, system);
      expect(answer.status).toBe(201);
      await removed(answer.body.rule.id);
    });

    it('up to a limit', async () => {
      await pam.service.sql(
        `INSERT INTO pam_rules (id, partner_id, name, verdict, match_user, precedence, opt_out)
         SELECT gen_random_uuid(), $1, 'filler', 'auto_deny', 'filler', 'before', 'none' FROM generate_series(1, 1000)`,
        [acme.partnerId],
      );
      expect((await create()).body).toMatchObject({ status: 409, code: 'conflict' });
      await pam.service.sql(`DELETE FROM pam_rules WHERE name = 'filler'`);
    });
  });

  describe('are read', () => {
    it('by the people of the partner, and by no organisation as a list', async () => {
      const [after, before] = [await created({ precedence: 'after' }), await created({ priority: 500 })];
      const list = await partner().get('/pam/rules?scope=partner');
      expect(list.body.rules.map(({ id }: { id: string }) => id)).toEqual([before, after]);
      expect(list.body.rules[0]).toMatchObject({ optOuts: 0, createdByName: null, matches30d: 0 });
      expect((await admin().get('/pam/rules?scope=partner')).body).toMatchObject({ status: 403, code: 'scope_denied' });
      expect((await partner().get(`/pam/rules?scope=partner&orgId=${acme.orgId}`)).status).toBe(400);
      expect((await partner().get('/pam/rules?scope=partner&effective=true')).status).toBe(400);
      const stranger = pam.as(aPartnerAdmin(newId()));
      expect((await stranger.get('/pam/rules?scope=partner')).body.rules).toEqual([]);
      expect((await stranger.get(`/pam/rules/${before}`)).status).toBe(404);
      await removed(before, after);
    });

    it('WIDE-01 by organisations without their authors, and never changed by them', async () => {
      const id = await created({ description: 'For the partner only' });
      const shown = (await admin().get(`/pam/rules/${id}`)).body.rule;
      expect(shown).toMatchObject({ name: 'Partner rule', matchToolName: 'run_script', verdict: 'auto_deny' });
      expect([shown.description, shown.createdBy, shown.createdByName, shown.updatedBy]).toEqual([
        null,
        null,
        null,
        null,
      ]);
      expect((await partner().get(`/pam/rules/${id}`)).body.rule).toMatchObject({ createdBy: expect.any(String) });
      const refused = { status: 404, code: 'rule_not_found' };
      expect((await admin().patch(`/pam/rules/${id}`).send({ enabled: false })).body).toMatchObject(refused);
      expect((await admin().delete(`/pam/rules/${id}`)).body).toMatchObject(refused);
      const { orgId } = acme;
      const copied = admin().post(`/pam/rules/${id}/copies`);
      expect((await copied.send({ orgIds: [orgId] })).body).toMatchObject(refused);
      await removed(id);
    });

    it('in the order of evaluation among the rules of an organisation', async () => {
      const own = (await admin().post('/pam/rules').send({ name: 'Own', verdict: 'ignore', matchUser: 'x' })).body.rule
        .id;
      const after = await created({ precedence: 'after', priority: 1, verdict: 'auto_approve' });
      const before = await created({ priority: 900, optOut: 'allowed' });
      expect((await optOut(before)).status).toBe(200);
      const effective = async (client: Client, query = '') =>
        (await client.get(`/pam/rules?effective=true${query}`)).body.rules.map(
          ({ id, origin, optedOut }: { id: string; origin: string; optedOut: boolean }) => [id, origin, optedOut],
        );
      const expected = [
        [before, 'partner_before', true],
        [own, 'organization', false],
        [after, 'partner_after', false],
      ];
      expect(await effective(admin())).toEqual(expected);
      expect(await effective(partner(), `&orgId=${acme.orgId}`)).toEqual(expected);
      expect(await effective(partner(), `&orgId=${globex.orgId}`)).toEqual([
        [before, 'partner_before', false],
        [after, 'partner_after', false],
      ]);
      const page = (await admin().get('/pam/rules?effective=true&page=2&limit=2')).body;
      expect([page.rules.map(({ id }: { id: string }) => id), page.pagination.total]).toEqual([[after], 3]);
      expect((await admin().get('/pam/rules')).body.rules.map(({ id }: { id: string }) => id)).toEqual([own]);
      expect((await admin().delete(`/pam/rules/${own}`)).status).toBe(200);
      await removed(before, after);
    });
  });

  describe('decide', () => {
    it('PAM-260 in every organisation, whatever its own rules say: those before only tighten', async () => {
      const own = (
        await admin()
          .post('/pam/rules')
          .send({ name: 'Own', verdict: 'auto_approve', ...NOBODY })
      ).body.rule;
      expect([await outcome(acme), await outcome(globex)]).toEqual(['auto_approved', 'pending']);
      const asks = await created({ verdict: 'require_approval', matchToolName: null, ...NOBODY });
      expect([await outcome(acme), await outcome(globex)]).toEqual(['pending', 'pending']);
      const denies = await created({ priority: 1, matchToolName: null, ...NOBODY });
      expect([await outcome(acme), await outcome(globex)]).toEqual(['denied', 'denied']);
      await removed(denies, asks);
      expect((await admin().delete(`/pam/rules/${own.id}`)).status).toBe(200);
    });

    it('PAM-260 after all others only what no rule of the organisation decides', async () => {
      const after = await created({ precedence: 'after', verdict: 'auto_approve', matchToolName: null, ...NOBODY });
      const own = (
        await admin()
          .post('/pam/rules')
          .send({ name: 'Own', verdict: 'auto_deny', ...NOBODY })
      ).body.rule;
      expect([await outcome(acme), await outcome(globex)]).toEqual(['denied', 'auto_approved']);
      expect((await admin().delete(`/pam/rules/${own.id}`)).status).toBe(200);
      await removed(after);
    });

    it('with their own signer groups, which organisations cannot name', async () => {
      const group = (body: object, client: Client) => client.post('/pam/signer-groups').send({ name: 'G', ...body });
      const made = await group({ ownerScope: 'partner', signers: ['Acme'] }, partner());
      expect(made.body.signerGroup).toMatchObject({ orgId: null, ownerScope: 'partner' });
      const { id } = made.body.signerGroup;
      const named = { matchToolName: null, matchSignerGroupId: id };
      const foreign = { ownerScope: 'organization', precedence: undefined, ...named };
      expect((await create(foreign, admin())).body).toMatchObject({ code: 'signer_group_not_in_org' });
      const rule = await created(named);
      expect((await partner().delete(`/pam/signer-groups/${id}`)).body).toMatchObject({ code: 'signer_group_in_use' });
      expect((await admin().patch(`/pam/signer-groups/${id}`).send({ name: 'x' })).status).toBe(404);
      expect((await admin().get('/pam/signer-groups?scope=partner')).body.code).toBe('scope_denied');
      expect((await admin().get('/pam/signer-groups')).body.signerGroups).toEqual([]);
      expect((await partner().get('/pam/signer-groups?scope=partner')).body.signerGroups).toHaveLength(1);
      expect((await group({ ownerScope: 'partner' }, admin())).body.code).toBe('partner_access_denied');
      await removed(rule);
      expect((await partner().delete(`/pam/signer-groups/${id}`)).status).toBe(200);
    });

    it('PAM-263 under a new version of the rulebook of each organisation', async () => {
      for (const { partnerId, orgId, deviceId } of [acme, globex])
        await admin({ partnerId, orgId } as Tenant)
          .post('/pam/elevation-requests')
          .send({ deviceId, reason: 'first' });
      const versions = async () => [await pam.rulebookVersion(acme), await pam.rulebookVersion(globex)];
      const [before, told] = [await versions(), (await pam.service.emitted(RulebookChanged)).length];
      const id = await created();
      expect(await versions()).toEqual(before.map((version) => version + 1));
      expect((await pam.service.emitted(RulebookChanged)).length).toBe(told + 2);
      expect((await optOut(id)).body).toMatchObject({ status: 409, code: 'opt_out_not_allowed' });
      await removed(id);
      expect(await versions()).toEqual(before.map((version) => version + 2));
    });
  });

  describe('are left', () => {
    it('PAM-262 by an organisation that may, with a reason, until it comes back', async () => {
      const id = await created({ optOut: 'allowed', matchToolName: null, ...NOBODY });
      expect([await outcome(acme), await outcome(globex)]).toEqual(['denied', 'denied']);
      const answer = await optOut(id, { reason: ' Our own tool ' });
      expect(answer.body.optOut).toEqual({
        ruleId: id,
        orgId: acme.orgId,
        reason: 'Our own tool',
        by: expect.any(String),
        byName: null,
        at: expect.any(String),
      });
      expect([await outcome(acme), await outcome(globex)]).toEqual(['pending', 'denied']);
      const entry = (await pam.service.audits('pam.rule.opt_out')).find(({ resource }) => resource.id === id);
      expect(entry).toMatchObject({ orgId: acme.orgId, resource: { id }, details: { reason: 'Our own tool' } });
      const fact = (await pam.service.emitted(RuleOptedOut)).find(({ data }) => data.ruleId === id);
      expect(fact?.data).toMatchObject({
        orgId: acme.orgId,
        partnerId: acme.partnerId,
        actorId: answer.body.optOut.by,
      });
      expect((await optOut(id, { reason: 'Another reason' })).status).toBe(200);
      const changes = (await pam.service.audits('pam.rule.opt_out'))
        .filter(({ resource }) => resource.id === id)
        .map(({ details }) => details['changes']);
      expect(changes).toEqual([false, true].map((before) => ({ optedOut: { before, after: true } })));
      expect((await admin().get(`/pam/rules/${id}/opt-outs`)).body.optOuts).toHaveLength(1);
      expect((await admin(globex).get(`/pam/rules/${id}/opt-outs`)).body.optOuts).toEqual([]);
      expect((await partner().get('/pam/rules?scope=partner')).body.rules[0]).toMatchObject({ id, optOuts: 1 });
      const back = () => admin().delete(`/pam/rules/${id}/opt-out`);
      expect([(await back()).body, (await back()).body]).toEqual([{ success: true }, { success: true }]);
      expect(await pam.service.audits('pam.rule.opt_in')).toHaveLength(1);
      expect(await outcome(acme)).toBe('denied');
      await removed(id);
    });

    it('ATK-217 PAM-353 until the rule becomes another one, of which the organisation is told', async () => {
      const id = await created({ optOut: 'allowed', matchToolName: null, ...NOBODY });
      const patch = (body: object) => partner().patch(`/pam/rules/${id}`).send(body);
      for (const body of [
        { verdict: 'require_approval' },
        { matchUser: 'someone@example.test' },
        { matchNegate: null },
        { timeWindow: { start: '09:00', end: '17:00' } },
        { precedence: 'after' },
        { optOut: 'none' },
      ]) {
        expect((await optOut(id)).status).toBe(200);
        const [listed] = (await partner().get('/pam/rules?scope=partner')).body.rules;
        expect(listed).toMatchObject({ id, optOuts: 1 });
        expect((await partner().get(`/pam/rules/${id}`)).body.rule.optOuts).toBe(1);
        expect((await patch({ name: `Renamed for ${Object.keys(body)[0]}` })).body).toMatchObject({ endedOptOuts: 0 });
        expect((await patch(body)).body).toMatchObject({ success: true, endedOptOuts: 1 });
        expect((await admin().get(`/pam/rules/${id}/opt-outs`)).body.optOuts).toEqual([]);
      }
      const entries = (await pam.service.audits('pam.rule.opt_out_end')).filter(({ resource }) => resource.id === id);
      expect(entries.map(({ orgId }) => orgId)).toEqual(Array(6).fill(acme.orgId));
      const told = (await pam.service.emitted(RuleOptOutEnded)).filter(({ data }) => data.ruleId === id);
      expect(told.map(({ data }) => data.orgId)).toEqual(Array(6).fill(acme.orgId));
      await removed(id);
    });

    it('PAM-262 no longer when the partner takes that back', async () => {
      const id = await created({ optOut: 'allowed', matchToolName: null, ...NOBODY });
      await optOut(id);
      expect(await outcome(acme)).toBe('pending');
      expect((await partner().patch(`/pam/rules/${id}`).send({ optOut: 'none' })).status).toBe(200);
      expect(await outcome(acme)).toBe('denied');
      await removed(id);
    });

    it('PAM-262 always when they come after, also by the people of the partner, who are named', async () => {
      const id = await created({ precedence: 'after', verdict: 'auto_approve', matchToolName: null, ...NOBODY });
      expect(await outcome(acme)).toBe('auto_approved');
      const technician = aPartnerAdmin(acme.partnerId);
      const answer = await optOut(id, { reason: 'Asked by phone', orgId: acme.orgId }, pam.as(technician));
      expect(answer.body.optOut.by).toBe(technician.userId);
      expect(await outcome(acme)).toBe('pending');
      const { explanation } = (
        await admin()
          .post('/pam/decisions/explain')
          .send({ deviceId: acme.deviceId, flowType: 'tech_jit_admin', subjectUsername: 'ann' })
      ).body;
      expect(explanation.nearestMisses).toContainEqual(
        expect.objectContaining({
          ruleId: id,
          origin: 'partner_after',
          failed: expect.objectContaining({ criterion: 'optOut' }),
        }),
      );
      await removed(id);
    });

    it('by nobody who may not change the whole organisation', async () => {
      const [id, own] = [
        await created({ optOut: 'allowed' }),
        (await admin().post('/pam/rules').send({ name: 'Own', verdict: 'auto_deny', matchUser: 'x' })).body.rule.id,
      ];
      expect((await optOut(id, undefined, admin(acme, { sites: [acme.siteId] }))).body.code).toBe('site_access_denied');
      expect((await optOut(id, undefined, admin(acme, { mfa: false }))).body.code).toBe('mfa_required');
      expect((await optOut(id, undefined, admin(acme, { permissions: ['devices:read'] }))).status).toBe(403);
      expect((await optOut(id, { reason: 'x', orgId: globex.orgId })).body.code).toBe('organization_not_found');
      expect((await optOut(id, { reason: '' })).status).toBe(400);
      expect((await optOut(own)).body.code).toBe('rule_not_found');
      expect((await optOut(newId())).body.code).toBe('rule_not_found');
      const stranger = await pam.tenant();
      expect((await optOut(id, undefined, admin(stranger))).body.code).toBe('rule_not_found');
      await admin().delete(`/pam/rules/${own}`);
      await removed(id);
    });
  });

  it('B6 make their authors editors, who organisations do not get to know', async () => {
    const boss = await pam.technician(acme, { level: 'partner', orgId: null, orgs: 'all' });
    const technician = await pam.technician(acme);
    const apart = { separation: { ruleEditors: true } };
    expect((await pam.as(technician).put('/pam/approval-policy').send(apart)).status).toBe(200);
    const wide = { precedence: 'after', verdict: 'require_approval', matchToolName: null, ...NOBODY };
    const id = (await create(wide, pam.as({ ...aPartnerAdmin(acme.partnerId), userId: boss.userId }))).body.rule.id;
    const asked = await pam
      .as(technician)
      .post('/pam/elevation-requests')
      .send({ deviceId: acme.deviceId, reason: 'needed' });
    const vote = (who: Client) =>
      who.post(`/pam/elevation-requests/${asked.body.id}/respond`).send({ decision: 'approve' });
    expect((await vote(pam.as({ ...aPartnerAdmin(acme.partnerId), userId: boss.userId }))).body).toMatchObject({
      code: 'separation_of_duties',
      reason: 'rule_editor',
    });
    const explained = async (who: Client) =>
      (await who.get(`/pam/elevation-requests/${asked.body.id}/explanation`)).body.explanation.matched;
    expect(await explained(admin())).toMatchObject({ ruleId: id, origin: 'partner_after', editors: [] });
    expect((await explained(partner())).editors).toEqual([{ userId: boss.userId, name: boss.name }]);
    await removed(id);
  });

  const partner = (overrides: object = {}) => pam.as(aPartnerAdmin(acme.partnerId, overrides));
  const create = (body: object = {}, client: Client = partner()) =>
    client.post('/pam/rules').send({
      name: 'Partner rule',
      ownerScope: 'partner',
      precedence: 'before',
      verdict: 'auto_deny',
      matchToolName: 'run_script',
      ...body,
    });
  const created = async (body: object = {}): Promise<string> => {
    const answer = await create(body);
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    return answer.body.rule.id;
  };
  const outcome = async (tenant: Tenant): Promise<string> => {
    const asked = { deviceId: tenant.deviceId, flowType: 'tech_jit_admin', subjectUsername: 'ann' };
    return (await admin(tenant).post('/pam/decisions/explain').send(asked)).body.explanation.outcome;
  };
  const removed = async (...ids: string[]): Promise<void> => {
    for (const id of ids) expect((await partner().delete(`/pam/rules/${id}`)).status).toBe(200);
  };
});

const NOBODY = { matchUser: 'nobody@example.test', matchNegate: ['user'] };
