import { type AssertionEncryption, buildResponseXml, encryptedAssertion, newSamlKey } from '@gatehouse/dev-idp';
import type { TestSignInRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { EMAIL, SamlHarness } from './saml.harness.ts';
import { landing, type Trip } from './sso.harness.ts';

const ASSERTION = /<saml:Assertion.*<\/saml:Assertion>/s;
let certificate: string;

const as = () => saml.sso.service.as(tenant.admin);
async function renewKey(providerId: string): Promise<string> {
  const { status, body } = await as().post(`/sso/providers/${providerId}/encryption-key`);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data.encryptionCertificate as string;
}

const saml = await SamlHarness.start();
const tenant = await saml.tenant();
const id = await saml.provider(tenant, { certificate: saml.certificates, autoProvision: true });
certificate = await renewKey(id);
afterAll(() => saml.stop());
const encrypt = (xml: string, encryption: Partial<AssertionEncryption> = {}): string =>
  xml.replace(ASSERTION, (one) => encryptedAssertion(one, { certificate, ...encryption }));

describe('an encrypted assertion', () => {
  it.each<[string, Partial<AssertionEncryption>, Fields]>([
    ['AES-256-GCM and RSA-OAEP with SHA-256', {}, {}],
    ['AES-128-GCM and RSA-OAEP with SHA-1 by default', { cipher: 'aes-128-gcm', transport: 'oaep-sha1' }, {}],
    ['RSA-OAEP with SHA-1 by name', { transport: 'oaep-sha1-named' }, {}],
    ['RSA-OAEP of XML Encryption 1.1 with SHA-1', { cipher: 'aes-128-gcm', transport: 'oaep11-sha1' }, {}],
    ['a key that stands beside the data', { keyBeside: true }, {}],
    ['a signature of the response around it', {}, { signResponse: true }],
    [
      'a namespace that the response declares',
      {},
      { beforeSigning: (xml) => xml.replace(/(<saml:Assertion) xmlns:saml="[^"]*"/, '$1') },
    ],
    ['2500 groups', {}, { attributes: { groups: Array.from({ length: 2_500 }, (_, at) => `group number ${at}`) } }],
  ])('is read with %s (SSO-180, SSO-181)', async (_, encryption, fields) => {
    const landed = await signedIn((trip) =>
      buildResponseXml({ ...saml.honest(trip), ...fields, encryption: { certificate, ...encryption } }),
    );
    expect(landed).toMatch(/#ssoCode=/);
  });

  /** Why a response is refused, as the administrator's test sign-in says. */
  async function refusal(
    make: (trip: Trip) => string,
    { admin, providerId } = { admin: tenant.admin, providerId: id },
  ) {
    // Each person may begin ten tests in five minutes.
    const own = saml.sso.service.as({ ...admin, userId: newId() });
    const { body, headers } = await own.post(`/sso/providers/${providerId}/test-sign-ins`);
    const setCookie = String(headers['set-cookie']);
    const test = { url: body.data.url as string, setCookie, cookie: setCookie.split(';')[0] ?? '' };
    const posted = await saml.postXml(test, make(test));
    await saml.complete(String(posted.headers['location']), test.cookie);
    const read = await own.get(`/sso/test-sign-ins/${body.data.id}`);
    const { attempt } = read.body.data as TestSignInRecord;
    const failed = attempt?.trace.steps.find(({ outcome }) => outcome === 'failed');
    return { login: attempt?.code, step: failed?.step, code: failed?.code, detail: failed?.detail };
  }

  const honest = (trip: Trip, fields: Fields = {}): string => buildResponseXml({ ...saml.honest(trip), ...fields });
  const beside = (xml: string, other: string): string => xml.replace(ASSERTION, (one) => one + other);
  const part = (xml: string, name: string): string =>
    encryptedAssertion(xml, { certificate }).replaceAll('EncryptedAssertion', name);
  const cut = (xml: string): string => ASSERTION.exec(xml)?.[0] ?? '';

  it.each<[string, (trip: Trip) => string, string, RegExp]>([
    [
      'with CBC (SAML-38)',
      (trip) => encrypt(honest(trip), { cipher: 'aes-256-cbc' }),
      'assertion_encrypted',
      /with CBC/,
    ],
    [
      'with a key under PKCS#1 v1.5 (SAML-38)',
      (trip) => encrypt(honest(trip), { transport: 'pkcs1-v1.5' }),
      'assertion_encrypted',
      /RSA-OAEP with SHA-1 or SHA-256/,
    ],
    [
      'with two hashes in RSA-OAEP',
      (trip) => encrypt(honest(trip), { transport: 'oaep-mixed' }),
      'assertion_encrypted',
      /RSA-OAEP with SHA-1 or SHA-256/,
    ],
    [
      'without a signature inside (SAML-41)',
      (trip) => honest(trip, { signAssertion: false, signResponse: true, encryption: { certificate } }),
      'signature_invalid',
      /signature/,
    ],
    [
      'whose content was changed (SAML-41)',
      (trip) => encrypt(honest(trip).replaceAll(EMAIL, 'eve@acme.example')),
      'signature_invalid',
      /signature/,
    ],
    [
      'beside the signed one (SAML-40)',
      (trip) => beside(honest(trip), encryptedAssertion(cut(honest(trip)), { certificate })),
      'assertion_encrypted',
      /beside/,
    ],
    [
      'before one that is not signed (SAML-40)',
      (trip) => encrypt(honest(trip)).replace('</samlp:Response>', `${cut(honest(trip, { signAssertion: false }))}$&`),
      'assertion_encrypted',
      /beside/,
    ],
    [
      'of two (SAML-40)',
      (trip) =>
        beside(honest(trip), cut(honest(trip))).replaceAll(/<saml:Assertion.*?<\/saml:Assertion>/gs, (one) =>
          encryptedAssertion(one, { certificate }),
        ),
      'assertion_encrypted',
      /exactly one/,
    ],
    [
      'inside another (SAML-40)',
      (trip) =>
        honest(trip).replace(ASSERTION, (one) =>
          encryptedAssertion(encryptedAssertion(one, { certificate }).replace('<saml:', `<saml:`), { certificate }),
        ),
      'assertion_encrypted',
      /a part of its assertion/,
    ],
    [
      'that closes the response and opens another (SAML-40)',
      (trip) =>
        honest(trip).replace(ASSERTION, (one) =>
          encryptedAssertion(`${one}</samlp:Response><samlp:Response>`, { certificate }),
        ),
      'token_invalid',
      /./,
    ],
    [
      'with a document type in it (SAML-40)',
      (trip) => honest(trip).replace(ASSERTION, (one) => encryptedAssertion(`<!DOCTYPE r []>${one}`, { certificate })),
      'token_invalid',
      /./,
    ],
    [
      'in part: its NameID (SAML-42)',
      (trip) =>
        honest(trip, {
          beforeSigning: (xml) => xml.replace(NAME_ID, (one) => part(one, 'EncryptedID')),
        }),
      'assertion_encrypted',
      /only the whole/,
    ],
    [
      'in part: an attribute (SAML-42)',
      (trip) =>
        honest(trip, {
          beforeSigning: (xml) =>
            xml.replace(
              '</saml:Assertion>',
              `<saml:AttributeStatement>${part('<saml:Attribute/>', 'EncryptedAttribute')}</saml:AttributeStatement>$&`,
            ),
        }),
      'assertion_encrypted',
      /only the whole/,
    ],
    [
      'of no content',
      (trip) => honest(trip).replace(ASSERTION, '<saml:EncryptedAssertion/>'),
      'assertion_encrypted',
      /cannot be read/,
    ],
  ])('is refused %s (SSO-180)', async (_, make, code, detail) => {
    expect(await refusal(make)).toEqual({
      login: 'sso_error',
      step: 'signature',
      code,
      detail: expect.stringMatching(detail),
    });
    expect(await signedIn(make)).toContain('error=sso_error');
  });

  it('that cannot be decrypted is refused in the same words (SSO-183, SAML-39)', async () => {
    const flip = (bytes: Buffer, at: number): Buffer => {
      const changed = Buffer.from(bytes);
      changed[at < 0 ? changed.length + at : at] = (changed.at(at) ?? 0) ^ 1;
      return changed;
    };
    const stranger = await newSamlKey({ kind: 3072 });
    const spoilt: Partial<AssertionEncryption>[] = [
      { spoil: ({ content, key }) => ({ content: flip(content, -1), key }) },
      { spoil: ({ content, key }) => ({ content: flip(content, 40), key }) },
      { spoil: ({ content, key }) => ({ content, key: flip(key, 100) }) },
      { spoil: ({ content }) => ({ content, key: Buffer.alloc(384) }) },
      { spoil: ({ content, key }) => ({ content, key: key.subarray(0, 100) }) },
      { certificate: stranger.certificatePem },
    ];
    const seen = [];
    for (const encryption of spoilt) seen.push(await refusal((trip) => encrypt(honest(trip), encryption)));
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]).toMatchObject({
      code: 'assertion_encrypted',
      detail: expect.stringContaining('cannot be decrypted'),
    });
  });

  it('of a provider without a key of ours is refused by that reason (SSO-182)', async () => {
    const other = await saml.sso.tenant();
    const providerId = await saml.provider(other, { certificate: saml.certificates });
    expect(await refusal((trip) => encrypt(honest(trip)), { admin: other.admin, providerId })).toMatchObject({
      code: 'assertion_encrypted',
      detail: expect.stringContaining('there is no key of ours'),
    });
  });
});

describe('the key for encrypted assertions', () => {
  it('is published for its provider alone, with exactly what is accepted (SSO-181, SSO-182)', async () => {
    const plain = await saml.sso.anonymous.get('/sso/saml/metadata');
    expect(plain.text).not.toContain('KeyDescriptor');
    const own = await metadataOf(id);
    const body = certificate.replace(/-----[^-]+-----|\s/g, '');
    expect(own.text).toContain(`<KeyDescriptor use="encryption">`);
    expect(own.text).toContain(`<ds:X509Certificate>${body}</ds:X509Certificate>`);
    expect([...own.text.matchAll(/<EncryptionMethod Algorithm="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      'http://www.w3.org/2009/xmlenc11#aes128-gcm',
      'http://www.w3.org/2009/xmlenc11#rsa-oaep',
      'http://www.w3.org/2009/xmlenc11#rsa-oaep',
      'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    ]);
    for (const unknown of ['00000000-0000-7000-8000-000000000000', 'x'])
      expect([(await metadataOf(unknown)).status, (await metadataOf(unknown)).body.code]).toEqual([
        404,
        'sso_provider_not_found',
      ]);
  });

  it('is replaced with overlap: the one before still decrypts, the one before that does not (SSO-182)', async () => {
    const with_ = (pem: string) =>
      signedIn((trip) => encrypt(buildResponseXml(saml.honest(trip)), { certificate: pem }));
    const second = await renewKey(id);
    expect((await metadataOf(id)).text).not.toContain(certificate.slice(100, 160));
    for (const pem of [certificate, second]) expect(await with_(pem)).toMatch(/#ssoCode=/);
    const third = await renewKey(id);
    for (const pem of [second, third]) expect(await with_(pem)).toMatch(/#ssoCode=/);
    expect(await with_(certificate)).toContain('error=sso_error');
    certificate = third;
    const entries = (await saml.sso.service.audits('sso.provider.update')).filter(
      ({ resource }) => resource?.id === id,
    );
    expect(entries.at(-1)?.details).toEqual({
      changedFields: ['encryptionCertificate'],
      changes: {
        encryptionCertificate: {
          before: expect.stringMatching(/^[\da-f]{64}$/),
          after: expect.stringMatching(/^[\da-f]{64}$/),
        },
      },
    });
  });

  it('is sealed, and made by administrators of the tenant for SAML providers (SSO-182)', async () => {
    const x509 = new X509Certificate(certificate);
    expect(x509.verify(x509.publicKey)).toBe(true);
    expect(x509.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072);
    const [from, to] = [x509.validFrom, x509.validTo].map((at) => new Date(at).getUTCFullYear());
    expect(Number(to) - Number(from)).toBe(10);
    expect(x509.toLegacyObject().subject).toMatchObject({ CN: 'SAML assertion encryption' });
    const [row] = await saml.sso.service.sql<{ row: string }>(
      'SELECT p::text AS row FROM sso_providers p WHERE id = $1',
      [id],
    );
    expect(row?.row).not.toContain('PRIVATE KEY');
    expect(JSON.stringify((await as().get(`/sso/providers/${id}`)).body)).not.toContain('PRIVATE KEY');
    const stranger = saml.sso.service.as((await saml.sso.tenant()).admin);
    expect((await stranger.post(`/sso/providers/${id}/encryption-key`)).body.code).toBe('sso_provider_not_found');
    const made = await as().post('/sso/providers').send({ orgId: tenant.orgId, name: 'OIDC', type: 'oidc' });
    const refused = await as().post(`/sso/providers/${made.body.data.id}/encryption-key`);
    expect([refused.status, refused.body.code]).toEqual([400, 'sso_protocol_mismatch']);
  });
});

type Fields = Partial<Parameters<typeof buildResponseXml>[0]>;
const NAME_ID = /<saml:NameID .*?<\/saml:NameID>/s;
const metadataOf = (providerId: string) => saml.sso.anonymous.get(`/sso/saml/metadata?provider=${providerId}`);

const signedIn = async (make: (trip: Trip) => string): Promise<string> => {
  const trip = await saml.begin(tenant);
  const received = await saml.postXml(trip, make(trip));
  const location = String(received.headers['location']);
  return location.includes('handle=') ? landing(await saml.complete(location, trip.cookie)) : location;
};
