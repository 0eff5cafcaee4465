import { buildResponseXml } from '@gatehouse/dev-idp';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SamlHarness } from './saml.harness.ts';
import { errorIn, landing, startScriptedIdp } from './sso.harness.ts';

const oidc = await startScriptedIdp();
const saml = await SamlHarness.start([oidc.issuer]);
const tenant = await saml.tenant();
await saml.provider(tenant, { certificate: saml.certificates });
afterAll(async () => {
  await saml.stop();
  await oidc.stop();
});

describe('hostile SAML responses', () => {
  it('ATK-11c: are refused by their size before they are parsed, and leave the pending sign-in as it was', async () => {
    const trip = await saml.begin(tenant);
    const hostile = [
      '<a/>'.repeat(25_000),
      '<a>'.repeat(10_000),
      `<a b="${'x'.repeat(150_000)}"/>`,
      'x'.repeat(180_000),
      'x'.repeat(360_000),
    ];
    for (const inside of hostile) {
      const answer = await saml.postXml(
        trip,
        buildResponseXml({ ...saml.honest(trip), afterSigning: inResponse(inside) }),
      );
      expect([answer.status, errorIn(answer)]).toEqual([303, 'sso_error']);
    }
    const forged = await saml.postXml(
      trip,
      buildResponseXml({ ...saml.honest(trip), afterSigning: (xml) => xml.replaceAll('ada@', 'eve@') }),
    );
    expect(errorIn(forged)).toBe('sso_error');
    const received = await saml.postXml(trip, buildResponseXml(saml.honest(trip)));
    expect(received.status).toBe(303);
    expect(landing(await saml.complete(received.headers['location'] ?? '', trip.cookie))).toMatch(/#ssoCode=/);
  });

  it('ATK-11d: are taken thirty times for one attempt, then refused until its time is over', async () => {
    const trip = await saml.begin(tenant);
    for (let at = 0; at < 30; at++) expect(errorIn(await saml.postXml(trip, '<a/>'))).toBe('sso_error');
    const beyond = await saml.postXml(trip, '<a/>');
    expect([beyond.status, beyond.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('ATK-11e: do not use up an attempt of another protocol', async () => {
    const other = await saml.sso.tenant();
    await saml.sso.provider(other, oidc);
    const trip = await saml.sso.start(other);
    const state = new URL(trip.url).searchParams.get('state') ?? '';
    const before = await saml.sso.service.sql('SELECT FROM sso_login_sessions');
    expect(errorIn(await saml.post({ SAMLResponse: 'PGEvPg==', RelayState: state }))).toBe('session_expired');
    expect(await saml.sso.service.sql('SELECT FROM sso_login_sessions')).toHaveLength(before.length);
  });
});

const inResponse =
  (inside: string) =>
  (xml: string): string =>
    xml.replace('</samlp:Response>', `${inside}</samlp:Response>`);
