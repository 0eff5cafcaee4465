import { afterAll, describe, expect, it } from '@jest/globals';
import { created, Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
const partnerId = (await tenancy.partner()).id;
const orgId = (await tenancy.organization(partnerId)).id;
afterAll(() => tenancy.stop());

describe('addresses in tenancy', () => {
  it('are refused for contacts, their import and billing when they are none (ATK-17b)', async () => {
    const { id } = created<{ data: { id: string } }>(await admin.post(contacts()).send({ name: 'Ann' })).data;
    for (const email of ILL_FORMED) {
      expect([email, (await admin.post(contacts()).send({ email })).body]).toEqual([email, refusedAt('email')]);
      expect([email, (await admin.patch(`/orgs/contacts/${id}`).send({ email })).body]).toEqual([
        email,
        refusedAt('email'),
      ]);
      const { errors } = (await admin.post('/orgs/contacts/import').send({ rows: [{ organizationId: orgId, email }] }))
        .body;
      expect([email, errors]).toEqual([email, [expect.objectContaining({ index: 0, code: 'validation_failed' })]]);
      expect([
        email,
        (await tenancy.system.patch(`/orgs/partners/${partnerId}`).send({ billingEmail: email })).body,
      ]).toEqual([email, refusedAt('billingEmail')]);
      const inSettings = await tenancy.system
        .patch(`/orgs/partners/${partnerId}`)
        .send({ settings: { contact: { email } } });
      expect([email, inSettings.body]).toEqual([email, refusedAt('settings.contact.email')]);
    }
    expect(await tenancy.service.sql('SELECT FROM contacts WHERE email IS NOT NULL')).toEqual([]);
  });

  it('of contacts have up to 320 characters, those of billing 255 (ATK-17b)', async () => {
    expect(
      created<{ data: { email: string } }>(await admin.post(contacts()).send({ email: LONG_ADDRESS })).data.email,
    ).toBe(LONG_ADDRESS);
    expect((await admin.post(contacts()).send({ email: `a${LONG_ADDRESS}` })).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect(
      (await tenancy.system.patch(`/orgs/partners/${partnerId}`).send({ billingEmail: LONG_ADDRESS })).body,
    ).toMatchObject({ status: 400, code: 'validation_failed' });
    const long = `${'a'.repeat(242)}@corp.example`;
    expect((await tenancy.system.patch(`/orgs/partners/${partnerId}`).send({ billingEmail: long })).body).toMatchObject(
      { billingEmail: long },
    );
  });

  it('that were stored under an older definition are read, and leave the rest of a contact editable (ATK-16d)', async () => {
    const { id } = created<{ data: { id: string } }>(await admin.post(contacts()).send({ name: 'Bob' })).data;
    await tenancy.service.sql(`UPDATE contacts SET email = 'x@localhost' WHERE id = $1`, [id]);
    expect((await admin.get(contacts())).body.data).toContainEqual(
      expect.objectContaining({ id, email: 'x@localhost' }),
    );
    expect((await admin.patch(`/orgs/contacts/${id}`).send({ phone: '1' })).body.data).toMatchObject({
      email: 'x@localhost',
      phone: '1',
    });
  });

  const contacts = (): string => `/orgs/organizations/${orgId}/contacts`;
  const refusedAt = (path: string) =>
    expect.objectContaining({ status: 400, code: 'validation_failed', issues: [expect.objectContaining({ path })] });
});

const ILL_FORMED = [
  '"a\nb"@corp.example',
  '"a\u0001b"@corp.example',
  '"a b"@corp.example',
  'a\u202eb@corp.example',
  'a\u200bb@corp.example',
  'a\nb@corp.example',
  'x@localhost',
  'a..b@corp.example',
  'a@corp.example.',
  'a@b.c',
];
const LABEL = 'b'.repeat(62);
const LONG_ADDRESS = `${'a'.repeat(64)}@${LABEL}.${LABEL}.${LABEL}.${'c'.repeat(58)}.example`;
const admin = tenancy.admin(partnerId);
