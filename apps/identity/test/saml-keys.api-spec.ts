import { buildResponseXml, newSamlKey, type SamlKey } from '@gatehouse/dev-idp';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { SamlHarness } from './saml.harness.ts';
import { codeIn, errorIn, landing, startScriptedIdp, type Tenant } from './sso.harness.ts';

let tenant: Tenant;
let providerId: string;

const oidc = await startScriptedIdp();
const saml = await SamlHarness.start([oidc.issuer]);
const weak = await newSamlKey({ kind: 1024 });
afterAll(async () => {
  await saml.stop();
  await oidc.stop();
});
beforeEach(async () => {
  await saml.sso.service.sql(`DELETE FROM users WHERE email LIKE '%@acme.example'`);
  tenant = await saml.tenant();
  providerId = await saml.provider(tenant);
});

describe('weak keys of identity providers', () => {
  it.each([512, 1024, 2047])('ATK-23a: a certificate with an RSA key of %i bits is not saved', async (kind) => {
    const { certificatePem: certificate } = await newSamlKey({ kind });
    const detail = expect.stringContaining(`an RSA key of ${kind} bits`);
    const refused = { status: 400, code: 'saml_configuration_invalid', detail };
    expect(await save(certificate)).toMatchObject(refused);
    expect(await save(`${saml.key.certificatePem}\n${certificate}`)).toMatchObject(refused);
    const body = { orgId: tenant.orgId, name: 'x', type: 'saml', certificate };
    expect((await providers().post('/sso/providers').send(body)).body).toMatchObject(refused);
  });

  it('a private key that is entered with its certificate is refused, and stored nowhere', async () => {
    const { certificatePem, privateKeyPem } = await newSamlKey();
    const refused = { code: 'saml_configuration_invalid', detail: expect.stringContaining('private key') };
    expect(await save(`${certificatePem}${privateKeyPem}`)).toMatchObject(refused);
  });

  it('saves keys of 2048 bits and of P-256, without a warning', async () => {
    const curve = await newSamlKey({ kind: 'P-256' });
    const { data } = await save(`${saml.key.certificatePem}\n${curve.certificatePem}`);
    expect(data).toMatchObject({ id: providerId, warnings: [] });
  });

  it('ATK-23b: one that was stored before is warned of and audited, and refused when its time is over', async () => {
    await store(weak.certificatePem, '2099-05-31T00:00:00Z');
    const { data } = (await providers().get(`/sso/providers/${providerId}`)).body;
    expect(data.warnings).toEqual([
      { code: 'saml_certificate_weak', detail: expect.stringMatching(/RSA key of 1024 bits.*refused from 2099-05-31/) },
    ]);
    expect(await signIn(weak)).toMatch(/^[\w-]{43}$/);
    expect(await saml.sso.service.audits('sso.login.weak_key')).toEqual([
      expect.objectContaining({
        resource: expect.objectContaining({ id: providerId }),
        details: { refusedFrom: '2099-05-31T00:00:00.000Z' },
      }),
    ]);
    await store(weak.certificatePem, '2020-01-01T00:00:00Z');
    expect(await signIn(weak)).toBe('sso_error');
    const tested = await providers().post(`/sso/providers/${providerId}/test`).send();
    expect(tested.body.code).toBe('saml_configuration_invalid');
  });

  it('ATK-23c: its provider can move on to a strong one, which leaves the strong one alone in the end', async () => {
    await store(weak.certificatePem, '2099-05-31T00:00:00Z');
    expect((await save(`${weak.certificatePem}\n${saml.key.certificatePem}`)).data.warnings).toHaveLength(1);
    const audited = (await saml.sso.service.audits('sso.login.weak_key')).length;
    expect(await signIn(saml.key)).toMatch(/^[\w-]{43}$/);
    expect(await saml.sso.service.audits('sso.login.weak_key')).toHaveLength(audited);
    expect(await signIn(weak)).toMatch(/^[\w-]{43}$/);
    expect((await save(saml.key.certificatePem)).data.warnings).toEqual([]);
    expect(await signIn(weak)).toBe('sso_error');
    expect(await save(weak.certificatePem)).toMatchObject({ code: 'saml_configuration_invalid' });
  });

  it('a sign-in that is signed under an expired certificate is refused, and one under the next is not', async () => {
    const expired = await newSamlKey({ validDays: -1 });
    await save(expired.certificatePem);
    expect(await signIn(expired)).toBe('sso_error');
    const [{ id }] = (await providers().get(`/sso/attempts?providerId=${providerId}`)).body.data;
    const { steps } = (await providers().get(`/sso/attempts/${id}`)).body.data.trace;
    const detail = 'the provider has no valid certificate with a strong key';
    expect(steps).toContainEqual(expect.objectContaining({ code: 'signature_invalid', detail }));
    await save(`${expired.certificatePem}\n${saml.key.certificatePem}`);
    expect(await signIn(expired)).toBe('sso_error');
    expect(await signIn(saml.key)).toMatch(/^[\w-]{43}$/);
  });

  it('ATK-23d: an ID token signed with an RSA key of 1024 bits is refused', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const signedAnew = (token: string): string => {
      const content = token.split('.').slice(0, 2).join('.');
      return `${content}.${createSign('sha256').update(content).sign(privateKey, 'base64url')}`;
    };
    const withWeakKey = (regular: Record<string, unknown>): object => {
      const [{ kid, alg, use }] = regular['keys'] as [Record<string, string>];
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg, use }] };
    };
    const other = await saml.sso.tenant();
    await saml.sso.provider(other, oidc);
    oidc.always({ jwks: { body: withWeakKey }, idToken: { mutate: signedAnew } });
    expect(errorIn(await saml.sso.signIn(other))).toBe('sso_error');
    oidc.clear();
  });
});

describe('subjects of SAML providers', () => {
  beforeEach(() => save(saml.key.certificatePem));

  it('ATK-18b: an address that its provider spells in other letter case is the same person', async () => {
    for (const spelling of ['Ada@Acme.example', 'ada@acme.example', 'ADA@ACME.EXAMPLE'])
      expect(await signIn(saml.key, spelling)).toMatch(/^[\w-]{43}$/);
    expect(await linked()).toEqual([{ external_id: 'ada@acme.example' }]);
  });

  it('ATK-18c: so is one that was stored as it was spelled', async () => {
    await signIn(saml.key, 'ada@acme.example');
    await asStoredBefore('Ada@Acme.example');
    for (const spelling of ['Ada@Acme.example', 'aDA@acme.example'])
      expect(await signIn(saml.key, spelling)).toMatch(/^[\w-]{43}$/);
    expect(await linked()).toEqual([{ external_id: 'Ada@Acme.example' }]);
  });

  it('ATK-18d: two that were linked to two people stay two, and a third spelling is neither', async () => {
    const person = async (email: string, externalId: string) => {
      const { userId } = await saml.sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId });
      await saml.sso.service.sql(
        `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id,
          earlier_email_subject, email, profile_sealed)
         VALUES ($1, $1, $2, $3, $4, $5::text, lower($5::text), $6, 'x')`,
        [userId, providerId, tenant.partnerId, tenant.orgId, externalId, email],
      );
      return userId;
    };
    const [first, second] = [
      await person('first@acme.example', 'Twin@acme.example'),
      await person('second@acme.example', 'twin@acme.example'),
    ];
    const whoIs = async (spelling: string) => {
      const { body } = await saml.sso.exchange(await signIn(saml.key, spelling));
      return (await saml.sso.identity.principalOf(body.accessToken)).userId;
    };
    expect([await whoIs('Twin@acme.example'), await whoIs('twin@acme.example')]).toEqual([first, second]);
    expect(await signIn(saml.key, 'TWIN@acme.example')).toBe('identity_conflict');
  });

  it('ATK-18e: a subject of another format is exact', async () => {
    const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
    const { body } = await providers()
      .patch(`/sso/providers/${providerId}`)
      .send({ attributeMapping: { email: 'mail', name: 'mail' } });
    expect(body.data.id).toBe(providerId);
    const trip = async (nameId: string, mail: string): Promise<string> => {
      const begun = await saml.begin(tenant);
      const fields = { ...saml.honest(begun, nameId), nameIdFormat: persistent, attributes: { mail } };
      const answer = await saml.postXml(begun, buildResponseXml(fields));
      return landing(await saml.complete(String(answer.headers['location']), begun.cookie));
    };
    expect(await trip('Id@x', 'one@acme.example')).toContain('#ssoCode=');
    expect(await trip('id@x', 'two@acme.example')).toContain('#ssoCode=');
    expect(await linked()).toHaveLength(2);
    expect(await trip('ID@x', 'one@acme.example')).toContain('identity_conflict');
  });

  const linked = () =>
    saml.sso.service.sql<{ external_id: string }>(
      'SELECT external_id FROM sso_identity_links WHERE provider_id = $1 ORDER BY 1',
      [providerId],
    );
  const asStoredBefore = (externalId: string) =>
    saml.sso.service.sql(
      `UPDATE sso_identity_links SET external_id = $2::text, earlier_email_subject = lower($2::text)
        WHERE provider_id = $1`,
      [providerId, externalId],
    );
});

const providers = () => saml.sso.service.as(tenant.admin);
const save = async (certificate: string) =>
  (await providers().patch(`/sso/providers/${providerId}`).send({ certificate })).body;
/** As if it had been stored before weak keys were refused. */
const store = (certificate: string, until: string | null) =>
  saml.sso.service.sql(`UPDATE sso_providers SET certificate = $2, weak_keys_until = $3 WHERE id = $1`, [
    providerId,
    certificate,
    until,
  ]);

async function signIn(key: SamlKey, nameId?: string, format?: string): Promise<string> {
  const trip = await saml.begin(tenant);
  const answer = await saml.postXml(
    trip,
    buildResponseXml({ ...saml.honest(trip, nameId), key, ...(format && { nameIdFormat: format }) }),
  );
  if (String(answer.headers['location']).includes('error=')) return errorIn(answer);
  const done = await saml.complete(String(answer.headers['location']), trip.cookie);
  return landing(done).includes('#ssoCode=') ? codeIn(done) : errorIn(done);
}
