import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, atOnce } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('what a rulebook holds at most', () => {
  it('is 5000 rules, also for two who add the last one at once', async () => {
    await pam.service.sql(
      `INSERT INTO pam_rules (id, partner_id, org_id, name, verdict, match_user)
        SELECT gen_random_uuid(), $1, $2, 'r', 'auto_deny', 'u' || n FROM generate_series(1, 4999) n`,
      [acme.partnerId, acme.orgId],
    );
    const answers = await atOnce(3, () => admin().post('/pam/rules').send(rule));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject(FULL);
    const { id } = answers.find(({ status }) => status === 201)?.body.rule;
    expect((await admin().patch(`/pam/rules/${id}`).send({ priority: 1 })).status).toBe(200);
    expect((await admin().delete(`/pam/rules/${id}`)).status).toBe(200);
    expect((await admin().post('/pam/rules').send(rule)).status).toBe(201);
  });

  it('is 500 signer groups', async () => {
    await pam.service.sql(
      `INSERT INTO signer_groups (id, partner_id, org_id, name) SELECT gen_random_uuid(), $1, $2, 'g'
        FROM generate_series(1, 499)`,
      [acme.partnerId, acme.orgId],
    );
    expect((await admin().post('/pam/signer-groups').send({ name: 'Vendors' })).status).toBe(201);
    expect((await admin().post('/pam/signer-groups').send({ name: 'Vendors' })).body).toMatchObject(FULL);
  });

  it('is 500 software policies of an organisation, also when one moves there, and as many of its partner', async () => {
    const sister = await pam.tenant(acme.partnerId);
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const fill = (orgId: string | null): Promise<unknown> =>
      pam.service.sql(
        `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id)
          SELECT gen_random_uuid(), $1, $2, 'p', 'audit', CASE WHEN $2::uuid IS NULL THEN 'partner' ELSE 'organization'
          END, $3 FROM generate_series(1, 500)`,
        [acme.partnerId, orgId, newId()],
      );
    await fill(acme.orgId);
    expect((await admin().post('/pam/software-policies').send(toOrg())).body).toMatchObject(FULL);
    const theirs = await partner.post('/pam/software-policies').send(toOrg(sister));
    expect(theirs.status).toBe(201);
    expect(
      (await partner.patch(`/pam/software-policies/${theirs.body.softwarePolicy.id}`).send({ target: toOrg().target }))
        .body,
    ).toMatchObject(FULL);
    expect(
      (await partner.patch(`/pam/software-policies/${theirs.body.softwarePolicy.id}`).send({ enabled: false })).status,
    ).toBe(200);
    await pam.partnerIs(acme);
    const whole = policyFor({ level: 'partner', id: acme.partnerId });
    expect((await partner.post('/pam/software-policies').send(whole)).status).toBe(201);
    await fill(null);
    expect((await partner.post('/pam/software-policies').send(whole)).body).toMatchObject(FULL);
  });

  const admin = ({ partnerId, orgId } = acme) => pam.as(anOrgAdmin(partnerId, orgId));
  const rule = { name: 'Rule', verdict: 'auto_deny', matchUser: 'ann' };
  const policyFor = (target: object) => ({
    name: 'Tools',
    mode: 'audit',
    target,
    rules: [{ name: 'x', signer: 'Contoso' }],
  });
  const toOrg = ({ orgId } = acme) => policyFor({ level: 'organization', id: orgId });
});

const FULL = { status: 409, code: 'conflict', detail: expect.stringContaining('limit') };
