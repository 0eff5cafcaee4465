import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { TechnicianChanged, TechnicianState } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { besideAnIdp, errorIn, landing, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

describe('addresses of people', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => ({ idp, sso, tenant } = made));

  it('are refused at every door when they are none (ATK-17c)', async () => {
    const admin = sso.service.as(aPartnerAdmin(tenant.partnerId));
    const operator = sso.service.asService('operator');
    const membership = { scope: 'partner', roleId: PARTNER_VIEWER };
    const before = await sso.counts();
    for (const email of ILL_FORMED) {
      const answers = [
        await admin.post('/users').send({ email, name: 'Pat', membership }),
        await sso.anonymous.post('/auth/login').send({ email, password: 'an uncommon pass phrase' }),
        await sso.anonymous.post('/auth/forgot-password').send({ email }),
        await operator.post('/internal/administrators').send({ email, name: 'Pat' }),
      ];
      const refused = {
        status: 400,
        code: 'validation_failed',
        issues: [{ path: 'email', message: 'must be an e-mail address' }],
      };
      expect([email, ...answers.map(({ body }) => body)]).toEqual([
        email,
        ...answers.map(() => expect.objectContaining(refused)),
      ]);
    }
    expect(await sso.counts()).toEqual(before);
  });

  it('have up to 320 characters (ATK-17c)', async () => {
    const email = `${'a'.repeat(292 - 8)}${newId().slice(0, 8)}@${'b'.repeat(19)}.example`.toLowerCase();
    const padded = `${'p'.repeat(320 - email.length)}${email}`;
    const made = await sso.service
      .as(aPartnerAdmin(tenant.partnerId))
      .post('/users')
      .send({ email: padded, name: 'Pat', membership: { scope: 'partner', roleId: PARTNER_VIEWER } });
    expect([padded.length, made.status, made.body.data?.email]).toEqual([320, 201, padded]);
  });

  it('are refused at a first sign-in when the event contract would refuse them (ATK-16c)', async () => {
    await sso.provider(tenant, idp);
    await sso.service.sql(
      'INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at) VALUES ($1, $2, $3, $4, $5, now())',
      [newId(), tenant.partnerId, tenant.orgId, 'corp.example', 't'],
    );
    const before = await sso.counts();
    for (const email of [...ILL_FORMED, 'a@corp.example\n']) {
      idp.identity = { sub: newId(), email, email_verified: true, name: 'New Person' };
      expect([email, errorIn(await sso.signIn(tenant))]).toEqual([email, 'sso_error']);
    }
    expect(await sso.counts()).toEqual(before);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'New Person' };
    expect(landing(await sso.signIn(tenant))).toMatch(/#ssoCode=/);
  });

  it('that were stored under an older definition are read, and changes of their owners reach the other services (ATK-16d)', async () => {
    const email = `x${newId()}@localhost`;
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, role: PARTNER_VIEWER });
    const admin = sso.service.as(aPartnerAdmin(tenant.partnerId));
    expect((await admin.get(`/users/${userId}`)).body.data).toMatchObject({ email });
    expect((await admin.patch(`/users/${userId}`).send({ name: 'Renamed' })).body.data).toMatchObject({
      email,
      name: 'Renamed',
    });
    const event = (await sso.service.emitted(TechnicianChanged)).findLast(({ data }) => data.userId === userId);
    expect(event?.data).toMatchObject({ email, name: 'Renamed' });
    expect(validateSync(plainToInstance(TechnicianState, event?.data))).toEqual([]);
  });
});

const PARTNER_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Partner Viewer')?.id ?? '';
const ILL_FORMED = [
  '"a\nb"@corp.example',
  '"a\r\nBcc: b@corp.example"@corp.example',
  '"a\u0001b"@corp.example',
  '"a b"@corp.example',
  'a\u202eb@corp.example',
  'a\u200bb@corp.example',
  'x@localhost',
  'a..b@corp.example',
  'a@corp.example.',
  'a\n@corp.example',
  'a@b.c',
  `${'a'.repeat(308)}@corp.example`,
];
