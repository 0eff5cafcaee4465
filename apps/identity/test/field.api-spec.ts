import { newId } from '@gatehouse/crypto';
import { buildResponseXml, newSamlKey, type ResponseFields } from '@gatehouse/dev-idp';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyResponse } from '../src/sso/saml/verification/verify-response.ts';
import { ENTITY_ID, SamlHarness } from './saml.harness.ts';
import { codeIn, errorIn, landing, startScriptedIdp, type Tenant } from './sso.harness.ts';

const SPELLINGS = ['bücher.example', 'BÜCHER.Example', 'bu\u0308cher.example', 'XN--BCHER-KVA.example'];
let tenant: Tenant;

const oidc = await startScriptedIdp();
const saml = await SamlHarness.start([oidc.issuer]);
afterAll(async () => {
  await saml.stop();
  await oidc.stop();
});
beforeEach(async () => {
  oidc.clear();
  await saml.sso.service.sql(`DELETE FROM users WHERE email LIKE '%@acme.example'`);
  tenant = await saml.tenant();
});

describe('a provider is configured with what people paste', () => {
  it('FIELD-05: blanks, line ends and no-break blanks around ids, secrets and addresses are removed', async () => {
    const { issuer, clientId, clientSecret } = oidc;
    await saml.sso.provider(tenant, {
      issuer: ` ${issuer}\r\n`,
      clientId: `\u00a0${clientId}\n`,
      clientSecret: `${clientSecret} \u200b`,
    });
    expect(codeIn(await saml.sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
  });

  it.each(['clientId', 'clientSecret', 'issuer', 'tokenUrl', 'entityId', 'ssoUrl'])(
    'FIELD-05: a blank inside %s is refused',
    async (member) => {
      const { body } = await create({ [member]: 'https://idp.invalid/a\u00a0b' });
      expect([body.status, body.issues?.[0]?.path]).toEqual([400, member]);
    },
  );

  it('FIELD-05: an issuer may be pasted as the address of its discovery document', async () => {
    const { body } = await create({ issuer: `${oidc.issuer}/.well-known/openid-configuration` });
    expect([body.data.issuer, body.data.tokenUrl]).toEqual([oidc.issuer, `${oidc.issuer}/token`]);
  });

  it('FIELD-05: members of discovery that are null or empty count as absent', async () => {
    for (const userinfo_endpoint of [null, '', ' ', []]) {
      oidc.once({ discovery: { body: (regular) => ({ ...regular, userinfo_endpoint }) } });
      const { body } = await create({ issuer: oidc.issuer });
      expect([body.data.userInfoUrl, body.data.warnings]).toEqual([null, []]);
    }
  });

  it.each([21, 22, 25, 53, 110, 389, 1433, 3306, 3389, 5432, 6379, 9200, 11211, 27017, 444])(
    'FIELD-18: addresses at port %i are refused',
    async (port) => {
      for (const member of ['issuer', 'authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'ssoUrl']) {
        const { body } = await create({ [member]: `https://idp.example.com:${port}/x` });
        expect([member, body.status, body.issues?.[0]?.path]).toEqual([member, 400, member]);
      }
    },
  );

  it.each([80, 443, 8080, 8443, 9443, 4443])('FIELD-18: an issuer at port %i is saved', async (port) => {
    expect((await create({ issuer: `https://idp.invalid:${port}/x` })).status).toBe(201);
  });
});

describe('a mail domain', () => {
  it.each(SPELLINGS)('FIELD-06: %s is held as its A-labels at every door', async (spelling) => {
    const local = newId();
    const people = saml.sso.service.as(aPartnerAdmin(tenant.partnerId));
    const membership = { scope: 'partner', roleId: PARTNER_VIEWER };
    const user = await people.post('/users').send({ email: `${local}@${spelling}`, name: 'Jo', membership });
    expect(user.body.data?.email).toBe(`${local}@${A_LABEL}`);
    const again = await people.post('/users').send({ email: `${local}@${A_LABEL}`, name: 'Jo', membership });
    expect(again.body.data?.email ?? again.body.code).toMatch(new RegExp(`^(?:${local}@${A_LABEL}|email_taken)$`));
    expect((await create({ allowedDomains: `corp.example, ${spelling}` })).body.data.allowedDomains).toBe(
      `corp.example,${A_LABEL}`,
    );
    const domain = await admin().post('/sso/domains').send({ orgId: tenant.orgId, domain: spelling });
    expect(domain.body.data?.domain).toBe(A_LABEL);
  });

  it('FIELD-06: a claim of a provider in either spelling is one account, and finds its verified domain', async () => {
    await saml.sso.service.sql(`UPDATE sso_domains SET verified_at = NULL WHERE domain = $1`, [A_LABEL]);
    await verified(A_LABEL);
    await saml.sso.provider(tenant, oidc, { allowedDomains: 'bücher.example', enforceSSO: true });
    const [sub, local] = [newId(), newId()];
    for (const spelling of SPELLINGS) {
      oidc.identity = { sub, email: `${local}@${spelling}`, name: 'Jo' };
      expect(codeIn(await saml.sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
      const { body } = await saml.sso.anonymous.post('/auth/sso-discovery').send({ email: `jo@${spelling}` });
      expect([spelling, body.sso?.providerName]).toEqual([spelling, 'Test IdP']);
    }
    const people = await saml.sso.service.sql('SELECT email FROM users WHERE email LIKE $1', [`${local}@%`]);
    expect(people).toEqual([{ email: `${local}@${A_LABEL}` }]);
  });

  it('FIELD-06: accounts of both spellings from before are listed for an operator, and stay as they are', async () => {
    const local = newId();
    const spellings = [`${local}@bücher.example`, `${local}@${A_LABEL}`];
    for (const email of spellings) await saml.sso.user({ email, partnerId: tenant.partnerId });
    const { body } = await saml.sso.service.asService('operator').get('/internal/address-spellings');
    const found = body.data.find(({ address }: { address: string }) => address === spellings[1]);
    expect(found.accounts.map(({ email }: { email: string }) => email).sort()).toEqual([...spellings].sort());
  });

  it.each(['a\u202eb.example', 'a\u0378b.example', '\u05d3a.example', '\u212Aorp.example', 'corp.example.'])(
    'FIELD-06: %j is refused at every door',
    async (domain) => {
      const people = saml.sso.service.as(aPartnerAdmin(tenant.partnerId));
      const answers = await Promise.all([
        admin().post('/sso/domains').send({ orgId: tenant.orgId, domain }),
        create({ allowedDomains: domain }),
        people
          .post('/users')
          .send({ email: `jo@${domain}`, name: 'Jo', membership: { scope: 'partner', roleId: PARTNER_VIEWER } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    },
  );
});

describe('email_verified', () => {
  it.each([
    [true, 'in'],
    ['true', 'in'],
    ['True', 'in'],
    [1, 'in'],
    ['1', 'in'],
    [false, 'email_unverified'],
    ['False', 'email_unverified'],
    [0, 'email_unverified'],
    [['true'], 'email_unverified'],
  ])('FIELD-S1: sent as %j, the sign-in ends with %s', async (email_verified, outcome) => {
    await saml.sso.provider(tenant, oidc);
    oidc.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified, name: 'Jo' };
    const answer = await saml.sso.signIn(tenant);
    expect(landing(answer).includes('#ssoCode=') ? 'in' : errorIn(answer)).toBe(outcome);
  });
});

describe('the keys of a provider', () => {
  const without = (name: string) => (key: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(key).filter(([member]) => member !== name));
  it.each<[string, (keys: Keys) => unknown[]]>([
    ['have no kid', (keys) => keys.map(without('kid'))],
    ['stand beside texts and null', (keys) => [null, 'key', 7, { kty: 'RSA', kid: keys[0]?.['kid'] }, ...keys]],
    ['have null members', (keys) => keys.map((key) => ({ ...key, use: null, alg: null, x5c: null }))],
    ['have empty members', (keys) => keys.map((key) => ({ ...key, kid: '', use: '', alg: '' }))],
    ['are listed twice', (keys) => [...keys, ...keys]],
  ])('FIELD-S2: verify a sign-in when they %s', async (_, change) => {
    await saml.sso.provider(tenant, oidc);
    oidc.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Jo' };
    oidc.always({ jwks: { body: (regular) => ({ keys: change(regular['keys'] as Keys) }) } });
    expect(codeIn(await saml.sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
  });

  it('FIELD-S2: a token without a kid is tried against every key that fits', async () => {
    await saml.sso.provider(tenant, oidc);
    oidc.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Jo' };
    for (const kid of [undefined, '']) {
      oidc.always({ idToken: { header: { kid } } });
      expect(codeIn(await saml.sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
    }
    oidc.always({ idToken: { key: 'foreign', header: { kid: undefined } } });
    expect(errorIn(await saml.sso.signIn(tenant))).toBe('sso_error');
  });

  type Keys = Record<string, unknown>[];
});

describe('a SAML sign-in', () => {
  it.each([
    [2048, 'sha256'],
    [2048, 'rsa384'],
    [2048, 'sha512'],
    [2048, 'pss'],
    ['P-256', 'ec256'],
    ['P-256', 'ec384'],
    ['P-384', 'ec384'],
  ] as const)('FIELD-01: with a certificate of %s is verified when it is signed as %s', async (kind, algorithm) => {
    const key = await newSamlKey({ kind });
    await saml.provider(tenant, { certificate: key.certificatePem });
    expect(await signIn({ key, algorithm })).toBe('in');
    const other = await newSamlKey({ kind });
    expect(await signIn({ key: other, algorithm })).toBe('sso_error');
  });

  it('FIELD-01: a certificate whose signatures cannot be verified is refused at every door', async () => {
    const { certificatePem: certificate } = await newSamlKey({ kind: 'P-521' });
    const id = await saml.provider(tenant);
    const refused = { code: 'saml_configuration_invalid', detail: expect.stringContaining('secp521r1') };
    expect((await create({ type: 'saml', certificate })).body).toMatchObject(refused);
    expect((await admin().patch(`/sso/providers/${id}`).send({ certificate })).body).toMatchObject(refused);
    const published = await (await fetch(saml.idp.metadataUrl)).text();
    const xml = published.replaceAll(/(X509Certificate>)[^<]+(<)/g, `$1${pemBody(certificate)}$2`);
    const read = await admin().post('/sso/providers/metadata').send({ xml });
    expect(read.body.data.warnings).toEqual([
      { code: 'saml_certificate_weak', detail: expect.stringContaining('secp521r1') },
    ]);
    await saml.sso.service.sql('UPDATE sso_providers SET certificate = $2 WHERE id = $1', [id, certificate]);
    expect((await admin().post(`/sso/providers/${id}/test`).send()).body.code).toBe('saml_configuration_invalid');
  });

  it('FIELD-S3: texts are read without the white space around them', async () => {
    await saml.provider(tenant, { certificate: saml.certificates });
    const wrapped = (xml: string): string =>
      xml
        .replace(/<saml:(Issuer|NameID|Audience|AttributeValue)([^>]*)>([^<]+)</g, '<saml:$1$2>\n    $3\u00a0\n  <')
        .replace(/ (Recipient|Destination|Name)="([^"]+)"/g, ' $1=" $2 "');
    const attributes = { email: 'ada@acme.example', name: 'Ada' };
    expect(await signIn({ attributes, beforeSigning: wrapped })).toBe('in');
  });

  it('FIELD-S4: an assertion with 2000 attributes is verified', async () => {
    await saml.provider(tenant, { certificate: saml.certificates });
    const trip = await saml.begin(tenant);
    const attributes = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`urn:example:a${at}`, `v${at}`]));
    const honest = saml.honest(trip);
    const { subject } = await verifyResponse({
      response: Buffer.from(buildResponseXml({ ...honest, attributes })).toString('base64'),
      expected: {
        acsUrl: honest.acsUrl,
        audience: ENTITY_ID,
        issuer: honest.issuer,
        requestId: honest.inResponseTo ?? '',
        now: new Date(),
      },
      certificates: { strong: [saml.key.certificatePem], weak: [] },
      decryptionKeys: [],
    });
    expect(subject.attributes).toHaveLength(2_000);
  });

  it.each([
    [500, 302],
    [530, 413],
  ])('FIELD-S4: a body of %i KB is answered with %i', async (kilobytes, status) => {
    const { status: answered } = await saml.post({ RelayState: 'x', SAMLResponse: 'A'.repeat(kilobytes * 1_024) });
    expect(answered === 413 ? 413 : 302).toBe(status);
  });

  async function signIn(more: Partial<ResponseFields>): Promise<string> {
    const trip = await saml.begin(tenant);
    const answer = await saml.postXml(trip, buildResponseXml({ ...saml.honest(trip), ...more }));
    if (!String(answer.headers['location']).includes('/complete')) return errorIn(answer);
    const done = await saml.complete(String(answer.headers['location']), trip.cookie);
    return landing(done).includes('#ssoCode=') ? 'in' : errorIn(done);
  }
});

describe('SAML metadata', () => {
  let published: string;
  beforeAll(async () => {
    published = (await (await fetch(saml.idp.metadataUrl)).text()).replace(/^<\?xml[^>]*>\s*/, '');
  });

  it.each<[string, (xml: string) => string, string[]]>([
    [
      'CDATA in a name',
      (xml) =>
        xml.replace(
          '</md:IDPSSODescriptor>',
          '</md:IDPSSODescriptor><md:Organization><md:OrganizationName xml:lang="en"><![CDATA[A <b> & C]]></md:OrganizationName></md:Organization>',
        ),
      [],
    ],
    ['a style sheet before the root', (xml) => `<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- x -->${xml}`, []],
    ['white space around its values', (xml) => xml.replace(/(entityID|Location)="([^"]+)"/g, '$1=" $2 "'), []],
    [
      'PEM armour in a certificate',
      (xml) =>
        xml.replace(
          /(X509Certificate>)([^<]+)(<)/g,
          '$1\n-----BEGIN CERTIFICATE-----\n$2\n-----END CERTIFICATE-----\n$3',
        ),
      [],
    ],
    [
      'an unreadable certificate before a good one',
      (xml) => xml.replace(/(<md:KeyDescriptor.*?<\/md:KeyDescriptor>)/s, (own) => unreadable(own) + own),
      ['saml_certificate_unreadable'],
    ],
    [
      'several certificates in one element',
      (xml) =>
        xml.replace(
          /(X509Certificate>)([^<]+)(<)/,
          (_, start: string, body: string, end: string) =>
            `${start}-----BEGIN CERTIFICATE-----${body}-----END CERTIFICATE-----\n${saml.key.certificatePem}${end}`,
        ),
      ['saml_certificates_joined'],
    ],
    [
      'several certificates in one key',
      (xml) =>
        xml.replace(
          /(<[^>]*X509Certificate>)[^<]+(<[^>]*X509Certificate>)/,
          (own, start: string, end: string) => own + start + pemBody(saml.key.certificatePem) + end,
        ),
      ['saml_certificates_joined'],
    ],
    [
      'an empty certificate before a good one',
      (xml) =>
        xml.replace(
          /(<[^>]*X509Certificate>)[^<]+(<[^>]*X509Certificate>)/,
          (own, a: string, b: string) => a + b + own,
        ),
      ['saml_certificate_unreadable'],
    ],
    [
      'validUntil in the past',
      (xml) => xml.replace(' entityID=', ' validUntil="2020-01-01T00:00:00Z" entityID='),
      ['saml_metadata_expired'],
    ],
    [
      'a wish for signed requests',
      (xml) =>
        xml
          .replace(/WantAuthnRequestsSigned="false"/, '')
          .replace('<md:IDPSSODescriptor', '<md:IDPSSODescriptor WantAuthnRequestsSigned="true"'),
      ['saml_signed_requests_wanted'],
    ],
    ['no namespace', (xml) => xml.replaceAll('md:', ''), []],
    [
      'a second descriptor for SAML 1.1',
      (xml) =>
        xml.replace(
          /<md:IDPSSODescriptor.*<\/md:IDPSSODescriptor>/s,
          (own) => own.replaceAll('SAML:2.0:', 'SAML:1.1:') + own,
        ),
      [],
    ],
  ])('FIELD-07: with %s is read', async (_, change, warnings) => {
    const changed = change(published);
    expect(changed).not.toBe(published);
    const body = await read(changed);
    const { entityId, ssoUrl } = saml.idp;
    expect([body.data?.entityId, body.data?.ssoUrl, body.detail]).toEqual([entityId, ssoUrl, undefined]);
    expect(codes(body).filter((code) => code !== 'saml_certificates_many')).toEqual(warnings);
  });
  const unreadable = (xml: string): string => xml.replaceAll(/(X509Certificate>)[^<]+(<)/g, '$1bm9uZQ==$2');

  it.each<[string, string, (xml: string) => string]>([
    ['X509Certificate', 'no X.509 certificate', unreadable],
    ['SingleSignOnService', 'HTTP-Redirect', (xml) => xml.replaceAll('bindings:HTTP-Redirect', 'bindings:SOAP')],
    ['EntityDescriptor', 'entityID', (xml) => xml.replace('entityID=', 'other=')],
    ['IDPSSODescriptor', 'no identity provider', (xml) => xml.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    ['IDPSSODescriptor', 'not SAML 2.0', (xml) => xml.replaceAll('SAML:2.0:metadata', 'SAML:1.1:metadata')],
    ['IDPSSODescriptor', 'not SAML 2.0', (xml) => xml.replaceAll('SAML:2.0:protocol', 'SAML:1.1:protocol')],
    ['KeyDescriptor', 'no signing certificate', (xml) => xml.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/s, '')],
    ['DOCTYPE', 'not accepted', (xml) => `<!DOCTYPE x>${xml}`],
    ['document', 'tag', (xml) => `${xml}<!-- `],
  ])('FIELD-07: a refusal names %s and why', async (element, reason, change) => {
    const { code, detail } = await read(change(published));
    expect([code, detail]).toEqual([
      'saml_metadata_invalid',
      expect.stringMatching(new RegExp(`${element}: .*${reason}`)),
    ]);
  });

  it('ATK-120: a place inside the network is read with a second factor only, and its status is not told', async () => {
    const url = `${saml.idp.metadataUrl}/missing`;
    const withoutFactor = saml.sso.service.as(aPartnerAdmin(tenant.partnerId, { mfa: false }));
    expect((await withoutFactor.post('/sso/providers/metadata').send({ url })).body.code).toBe('mfa_required');
    const missing = (await admin().post('/sso/providers/metadata').send({ url })).body;
    const closed = (await admin().post('/sso/providers/metadata').send({ url: 'https://closed.invalid/' })).body;
    expect([missing.code, missing.detail]).toEqual([closed.code, closed.detail]);
  });

  const read = async (xml: string) => (await admin().post('/sso/providers/metadata').send({ xml })).body;
  const codes = (body: { data: { warnings: { code: string }[] } }) => body.data.warnings.map(({ code }) => code);
});

const pemBody = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
const A_LABEL = 'xn--bcher-kva.example';
const PARTNER_VIEWER = '00000000-0000-7000-8000-000000000003';

const admin = () => saml.sso.service.as(tenant.admin);
const create = (body: object) =>
  admin()
    .post('/sso/providers')
    .send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', ...body });
const verified = (domain: string) =>
  saml.sso.service.sql(
    `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at) VALUES ($1, $2, $3, $4, 't', now())`,
    [newId(), tenant.partnerId, tenant.orgId, domain],
  );
