import { buildResponseXml, newSamlKey, type ResponseFields, samlSignInAs } from '@gatehouse/dev-idp';
import { afterAll, describe, expect, it } from '@jest/globals';
import { anOrgTechnician, TestService, stopwatch } from '@gatehouse/testing';
import { identityService } from '../src/service.ts';
import { linkContext } from '../src/sso/login/accounts/identity-links.repository.ts';
import { ACS, EMAIL, relayStateOf, SamlHarness } from './saml.harness.ts';
import { codeIn, errorIn, landing, NO_LIMITS, type Tenant, type Trip } from './sso.harness.ts';

const hour = 3_600_000;
const later = (ms: number): Date => new Date(Date.now() + ms);
const condition =
  (element: string) =>
  (xml: string): string =>
    xml.replace('</saml:Conditions>', `${element}</saml:Conditions>`);

const saml = await SamlHarness.start();
const tenant = await saml.tenant();
const providerId = await saml.provider(tenant, { certificate: saml.certificates });
afterAll(() => saml.stop());

describe('signing in through a SAML provider', () => {
  it('tells operators how long the certificates of active providers last', async () => {
    const days = async () =>
      Number(
        /^gatehouse_saml_certificate_days\{[^}]*\} (.+)$/m.exec(await sso.service.service.platform.metrics.text())?.[1],
      );
    expect(await days()).toBeGreaterThan(1);
    await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/status`).send({ status: 'inactive' });
    expect(await days()).toBeNaN();
    await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/status`).send({ status: 'active' });
  });

  it('walks the whole way: request, form, own visit with the cookie, exchange', async () => {
    const trip = await begin();
    expect(trip.setCookie).toContain('Path=/api/v1/sso/saml/complete; Max-Age=600; HttpOnly; SameSite=Lax');
    const back = await samlSignInAs(EMAIL, trip.url);
    expect(back.url).toBe(ACS);
    const received = await post(Object.fromEntries(back.form));
    expect([received.status, landing(received)]).toEqual([
      303,
      expect.stringMatching(/^\/api\/v1\/sso\/saml\/complete\?handle=[\w-]{43}$/),
    ]);
    expect(errorIn(await complete(received.headers['location'] ?? '', ''))).toBe('session_expired');
    const done = await complete(received.headers['location'] ?? '', trip.cookie);
    expect(landing(done)).toMatch(/^\/devices#ssoCode=/);
    const tokens = await sso.exchange(codeIn(done));
    expect(await sso.identity.principalOf(tokens.body.accessToken)).toMatchObject({
      email: EMAIL,
      name: 'Ada Lovelace',
      orgId: tenant.orgId,
      mfa: false,
    });
    const [link] = await sso.service.sql<{ user_id: string; profile_sealed: string }>(
      'SELECT user_id, profile_sealed FROM sso_identity_links WHERE provider_id = $1 AND email = $2',
      [providerId, EMAIL],
    );
    expect(
      JSON.parse(
        sso.service.service.platform.keys.open(
          link?.profile_sealed ?? '',
          linkContext('profile')(providerId, link?.user_id ?? ''),
        ),
      ),
    ).toMatchObject({
      email: EMAIL,
      saml: {
        nameId: EMAIL,
        sessionIndex: expect.stringMatching(/./),
        attributes: expect.arrayContaining([[expect.any(String), ['Ada Lovelace']]]),
      },
    });
    expect(errorIn(await complete(received.headers['location'] ?? '', trip.cookie))).toBe('session_expired');
    expect(errorIn(await post(Object.fromEntries(back.form)))).toBe('session_expired');
  });

  it('accepts a response built by hand, signed with the second certificate', async () => {
    const trip = await begin();
    const received = await postXml(trip, buildResponseXml(honest(trip)));
    expect(received.status).toBe(303);
    expect(landing(await complete(received.headers['location'] ?? '', trip.cookie))).toMatch(/#ssoCode=/);
  });

  const mute = (xml: string): string => xml.replace(/ SessionIndex="[^"]*"/, '').replace(/ Destination="[^"]*"/, '');
  const holderOfKey =
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"><saml:SubjectConfirmationData/></saml:SubjectConfirmation>';
  it.each<[string, Partial<ResponseFields>]>([
    ['whose envelope is signed too', { signResponse: true }],
    ['signed with SHA-512', { algorithm: 'sha512' }],
    ['signed with RSA-PSS', { algorithm: 'pss' }],
    [
      'with prefixes of their own',
      { beforeSigning: (xml) => xml.replaceAll('samlp', 'saml2p').replaceAll(/saml([:=])/g, 'saml2$1') },
    ],
    [
      'with lines, indentation and a declaration',
      {
        beforeSigning: (xml) =>
          `<?xml version="1.0" encoding="UTF-8"?>\r\n${xml.replaceAll('><', '>\r\n\t<').replace(EMAIL, `\n ${EMAIL}\n`)}`,
      },
    ],
    [
      'for several audiences, once, and no further',
      {
        beforeSigning: (xml) =>
          xml
            .replace('<saml:Audience>', '<saml:Audience>https://other.example</saml:Audience><saml:Audience>')
            .replace('</saml:Conditions>', '<saml:OneTimeUse/><saml:ProxyRestriction Count="0"/></saml:Conditions>'),
      },
    ],
    [
      'with a second confirmation, of a kind that we do not use',
      { beforeSigning: (xml) => xml.replace('<saml:SubjectConfirmation ', `${holderOfKey}<saml:SubjectConfirmation `) },
    ],
    [
      'of a provider whose assertions hold for an hour and sessions for three months',
      {
        notBefore: later(-hour / 12),
        notOnOrAfter: later(hour),
        beforeSigning: (xml) =>
          xml.replace('<saml:AuthnStatement', `$& SessionNotOnOrAfter="${later(90 * 24 * hour).toISOString()}"`),
      },
    ],
    ['of a provider whose administrator chose a day', { notOnOrAfter: later(24 * hour) }],
    ['without session index and destination', { beforeSigning: mute }],
    [
      'with a NameID of no format',
      { beforeSigning: (xml) => xml.replace(/<saml:NameID Format="[^"]*"/, '<saml:NameID') },
    ],
    [
      'that is long, for a person in 2500 groups',
      { attributes: { groups: Array.from({ length: 2_500 }, (_, index) => `group ${index}`) } },
    ],
  ])('accepts a response %s', async (_, fields) => {
    const trip = await begin();
    const received = await postXml(trip, buildResponseXml({ ...honest(trip), ...fields }));
    expect(landing(await complete(received.headers['location'] ?? '', trip.cookie))).toMatch(/#ssoCode=/);
  });

  const stranger = newSamlKey();
  it.each<[string, (fields: ResponseFields) => Partial<ResponseFields> | Promise<Partial<ResponseFields>>]>([
    ['without a signature (SAML-01)', () => ({ signAssertion: false })],
    ['signed by a stranger whose certificate comes along (SAML-10)', async () => ({ key: await stranger })],
    ['signed with SHA-1', () => ({ algorithm: 'sha1' })],
    [
      'signed around the assertion only, which our metadata rules out',
      () => ({ signAssertion: false, signResponse: true }),
    ],
    [
      'whose subject is confirmed in ten minutes only',
      () => ({
        beforeSigning: (xml) =>
          xml.replace(
            '<saml:SubjectConfirmationData',
            `$& NotBefore="${new Date(Date.now() + 600_000).toISOString()}"`,
          ),
      }),
    ],
    [
      'whose assertion is encrypted',
      () => ({
        signAssertion: false,
        afterSigning: (xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, '<saml:EncryptedAssertion/>'),
      }),
    ],
    [
      'with a cloned unsigned response after the signed one (SAML-02)',
      () => ({
        afterSigning: (xml) =>
          xml.replace('</samlp:Response>', `${xml.replaceAll(EMAIL, 'evil@acme.example')}</samlp:Response>`),
      }),
    ],
    [
      'with a cloned unsigned response before the signed assertion (SAML-03)',
      () => ({
        afterSigning: (xml) =>
          xml.replace(
            '<saml:Assertion',
            `${xml.replace(/<ds:Signature.*<\/ds:Signature>/s, '').replaceAll(EMAIL, 'evil@acme.example')}<saml:Assertion`,
          ),
      }),
    ],
    [
      'with a forged assertion before the signed one (SAML-04)',
      () => ({ afterSigning: (xml) => xml.replace('<saml:Assertion', `${forged(xml)}<saml:Assertion`) }),
    ],
    [
      'with the signed assertion nested inside a forged one (SAML-05)',
      () => ({
        afterSigning: (xml) =>
          xml.replace(/<saml:Assertion.*<\/saml:Assertion>/s, (signed) =>
            forged(xml).replace('</saml:Assertion>', `${signed}</saml:Assertion>`),
          ),
      }),
    ],
    [
      'with the signed assertion changed, and the original without its signature at the end (SAML-06)',
      () => ({
        afterSigning: (xml) =>
          xml.replaceAll(EMAIL, 'evil@acme.example').replace('</samlp:Response>', `${unsigned(xml)}</samlp:Response>`),
      }),
    ],
    [
      'with the original inside the signature (SAML-07)',
      () => ({
        afterSigning: (xml) => xml.replace('</ds:Signature>', `<ds:Object>${forged(xml)}</ds:Object></ds:Signature>`),
      }),
    ],
    ['with a changed name', () => ({ afterSigning: (xml) => xml.replace(EMAIL, 'evil@acme.example') })],
    [
      'with two SignedInfo (SAML-11)',
      () => ({ afterSigning: (xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, (info) => info + info) }),
    ],
    [
      'with a comment in the digest (SAML-12)',
      () => ({ afterSigning: (xml) => xml.replace(/<ds:DigestValue>/, '<ds:DigestValue><!--x-->') }),
    ],
    [
      'with a comment in the name (SAML-13)',
      () => ({ beforeSigning: (xml) => xml.replace(EMAIL, `${EMAIL}<!-- -->.evil.example`) }),
    ],
    ['with two roots (SAML-14)', () => ({ afterSigning: (xml) => xml + xml })],
    [
      'with entities that unfold without end (SAML-20)',
      () => ({
        afterSigning: (xml) =>
          `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>${xml.replace(EMAIL, '&c;')}`,
      }),
    ],
    [
      'with attributes given by a document type (SAML-20)',
      () => ({ afterSigning: (xml) => `<!DOCTYPE r [<!ATTLIST saml:NameID NameQualifier CDATA "x">]>${xml}` }),
    ],
    [
      'with an outer entity (SAML-20)',
      () => ({ afterSigning: (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}` }),
    ],
    [
      'with an unknown condition (ATK-20s)',
      () => ({
        beforeSigning: condition(
          '<saml:Condition xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="x:DelegationRestrictionType" xmlns:x="urn:x"/>',
        ),
      }),
    ],
    [
      'with a condition of another namespace (ATK-20s)',
      () => ({ beforeSigning: condition('<x:OneTimeUse xmlns:x="urn:x"/>') }),
    ],
    [
      'with an audience restriction of another namespace alone (ATK-20s)',
      () => ({
        beforeSigning: (xml) =>
          xml
            .replace(/(<\/?)saml:AudienceRestriction>/g, '$1x:AudienceRestriction>')
            .replace('<saml:Conditions', '<saml:Conditions xmlns:x="urn:x"'),
      }),
    ],
    [
      'issued a day ahead (ATK-20t)',
      () => ({ issueInstant: later(24 * hour), notBefore: later(-hour), notOnOrAfter: later(hour) }),
    ],
    [
      'issued a quarter of an hour ago (ATK-20t)',
      () => ({ issueInstant: later(-hour / 4), notOnOrAfter: later(hour) }),
    ],
    [
      'whose envelope alone was issued a day ahead (ATK-20t)',
      () => ({
        afterSigning: (xml) => xml.replace(/IssueInstant="[^"]*"/, `IssueInstant="${later(24 * hour).toISOString()}"`),
      }),
    ],
    [
      'that does not say when it was issued (ATK-20t)',
      () => ({ beforeSigning: (xml) => xml.replaceAll(/ IssueInstant="[^"]*"/g, '') }),
    ],
    [
      'whose authentication lies ahead (ATK-20t)',
      () => ({
        beforeSigning: (xml) => xml.replace(/AuthnInstant="[^"]*"/, `AuthnInstant="${later(hour).toISOString()}"`),
      }),
    ],
    [
      'valid for decades (ATK-20u)',
      () => ({ notOnOrAfter: later(20 * 365 * 24 * hour), confirmationNotOnOrAfter: later(hour) }),
    ],
    ['valid since decades (ATK-20u)', () => ({ notBefore: later(-20 * 365 * 24 * hour) })],
    [
      'valid from a time that cannot be read (ATK-20u)',
      () => ({ beforeSigning: (xml) => xml.replace(/ NotBefore="[^"]*"/, ' NotBefore="soon"') }),
    ],
    [
      'whose subject is confirmed for decades (ATK-20u)',
      () => ({ confirmationNotOnOrAfter: later(20 * 365 * 24 * hour) }),
    ],
    [
      'of a session that lasts for decades (ATK-20u)',
      () => ({
        beforeSigning: (xml) =>
          xml.replace('<saml:AuthnStatement', `$& SessionNotOnOrAfter="${later(20 * 365 * 24 * hour).toISOString()}"`),
      }),
    ],
    ['for another audience (SAML-23)', () => ({ audience: 'https://other.example' })],
    ['for no audience (SAML-23)', () => ({ audience: null })],
    ['for another recipient (SAML-24)', () => ({ recipient: 'https://other.example/acs' })],
    ['without recipient', () => ({ recipient: null })],
    ['for another destination (SAML-24)', () => ({ destination: 'https://other.example/acs' })],
    [
      'that has expired (SAML-25)',
      () => ({ issueInstant: new Date(Date.now() - hour), notOnOrAfter: new Date(Date.now() - 61_000) }),
    ],
    ['that is not valid yet (SAML-25)', () => ({ notBefore: new Date(Date.now() + hour) })],
    ['without conditions (SAML-25)', () => ({ conditions: false })],
    ['from another issuer (SAML-28)', () => ({ issuer: 'https://other.example' })],
    ['whose assertion is from another issuer', () => ({ assertionIssuer: 'https://other.example' })],
    ['to another request', () => ({ inResponseTo: '_other' })],
    ['to no request', () => ({ inResponseTo: null })],
    ['whose subject answers another request', () => ({ subjectInResponseTo: '_other' })],
    ['of another version', () => ({ version: '1.1' })],
    ['that reports a failure', () => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })],
  ])('refuses a response %s, and leaves nothing behind', async (_, change) => {
    const before = await sso.counts();
    const trip = await begin();
    const fields = honest(trip);
    const answer = await postXml(trip, buildResponseXml({ ...fields, ...(await change(fields)) }));
    expect([answer.status, errorIn(answer)]).toEqual([303, 'sso_error']);
    expect(await sso.counts()).toEqual(before);
    expect(await sso.service.sql('SELECT FROM sso_saml_results')).toHaveLength(0);
  });

  it('grants a skew of 60 s', async () => {
    const trip = await begin();
    const answer = await postXml(
      trip,
      buildResponseXml({
        ...honest(trip),
        notBefore: new Date(Date.now() + 30_000),
        notOnOrAfter: new Date(Date.now() + hour),
      }),
    );
    expect(answer.status).toBe(303);
  });

  it('refuses a response without a request', async () => {
    const trip = await begin();
    const xml = buildResponseXml({ ...honest(trip), inResponseTo: null });
    for (const form of [
      { SAMLResponse: Buffer.from(xml).toString('base64') },
      { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: 'x'.repeat(43) },
      { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: `https://app.example/${'x'.repeat(2_000)}` },
      {},
    ]) {
      expect(errorIn(await post(form as Record<string, string>))).toBe('session_expired');
    }
  });

  it('reads no form of a hundred thousand fields', async () => {
    const crowd = Array.from({ length: 100_000 }, (_, at) => at.toString(36))
      .join('&')
      .slice(0, 400_000);
    const spent = stopwatch();
    expect(errorIn(await sso.anonymous.post('/sso/saml/acs').type('form').send(crowd))).toBe('session_expired');
    expect(spent()).toBeLessThan(1_000);
  });

  it('takes one of twenty parallel posts of one response on two replicas, and none later (SAML-26)', async () => {
    const replica = await TestService.start(identityService, {
      replicaOf: sso.service,
      env: { RATE_LIMITS: NO_LIMITS, MAIL_DIR: '/tmp' },
    });
    const trip = await begin();
    const form = {
      SAMLResponse: Buffer.from(buildResponseXml(honest(trip))).toString('base64'),
      RelayState: relayStateOf(trip),
    };
    const posts = Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? replica.as(null) : sso.anonymous).post('/sso/saml/acs').type('form').send(form),
    );
    const sent = (await Promise.all(posts)).map(({ headers }) => String(headers['location']));
    expect(sent.filter((location) => location.includes('/sso/saml/complete?'))).toHaveLength(1);
    expect(errorIn(await post(form))).toBe('session_expired');
    await replica.stop();
  });

  it("refuses one organisation's response at another's provider (SAML-28)", async () => {
    const other = await sso.tenant();
    await verifyDomain(other);
    await samlProvider(other, { entityId: 'https://idp.other.example', certificate: (await stranger).certificatePem });
    const trip = await begin(other);
    expect(errorIn(await postXml(trip, buildResponseXml(honest(trip))))).toBe('sso_error');
    await sso.service.sql(`DELETE FROM sso_domains WHERE org_id = $1`, [other.orgId]);
  });

  it.each(['inactive', 'testing'])('refuses a valid response once the provider is %s (SAML-30)', async (status) => {
    const trip = await begin();
    await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/status`).send({ status });
    expect(errorIn(await postXml(trip, buildResponseXml(honest(trip))))).toBe('provider_changed');
    await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/status`).send({ status: 'active' });
  });

  it('has nothing left to answer once the provider is deleted (SAML-30)', async () => {
    const other = await sso.tenant();
    const doomed = await samlProvider(other);
    const trip = await begin(other);
    const before = await sso.counts();
    expect((await sso.service.as(other.admin).delete(`/sso/providers/${doomed}`)).body).toEqual({ success: true });
    expect(errorIn(await postXml(trip, buildResponseXml(honest(trip))))).toBe('session_expired');
    expect(await sso.counts()).toEqual(before);
  });

  it('matches a newcomer only by an address whose domain is proven', async () => {
    const other = await sso.tenant();
    await samlProvider(other);
    const trip = await begin(other);
    const back = await samlSignInAs(EMAIL, trip.url);
    const received = await post(Object.fromEntries(back.form));
    expect(errorIn(await complete(received.headers['location'] ?? '', trip.cookie))).toBe('email_unverified');
  });

  it('links the identity of a signed-in person', async () => {
    const email = 'grace@acme.example';
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId });
    const own = anOrgTechnician(tenant.partnerId, tenant.orgId, { userId, id: userId, email });
    const trip = await sso.startLinking(own, providerId);
    const back = await samlSignInAs(email, trip.url);
    const received = await post(Object.fromEntries(back.form));
    const done = await complete(received.headers['location'] ?? '', trip.cookie);
    expect(landing(done)).toBe('/settings/profile?ssoLinked=1');
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toHaveLength(1);
  });

  const verifyDomain = (to: Tenant): Promise<void> => saml.verifyDomain(to);
  const samlProvider = (at: Tenant, more?: object): Promise<string> => saml.provider(at, more);
  const begin = (at: Tenant = tenant): Promise<Trip> => saml.begin(at);
  const post = (form: Record<string, string>) => saml.post(form);
  const complete = (location: string, cookie: string) => saml.complete(location, cookie);
  const honest = (trip: Trip): ResponseFields => saml.honest(trip);
  const postXml = (trip: Trip, xml: string) => saml.postXml(trip, xml);
});

const unsigned = (xml: string): string =>
  (/<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '').replace(/<ds:Signature.*<\/ds:Signature>/s, '');
const forged = (xml: string): string =>
  unsigned(xml)
    .replace(/ID="[^"]+"/, 'ID="_forged"')
    .replaceAll(EMAIL, 'evil@acme.example');
const { sso } = saml;
