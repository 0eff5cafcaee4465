import { describe, expect, it } from '@jest/globals';
import {
  assertsMfa,
  type Authentication,
  type Claims,
  claimsRequest,
  DEFAULT_MAPPING,
  entraClaims,
  entraTenantOf,
  mapClaims,
  type MfaTrust,
  presetOf,
  samlAuthentication,
  samlClaims,
} from '../index.ts';

const TENANT = '11111111-2222-4333-8444-555555555555';
const ISSUER = `https://login.microsoftonline.com/${TENANT}/v2.0`;
const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes';

describe('SSO-89 the evidence of a second factor', () => {
  it.each<[string, Authentication, boolean]>([
    ['amr with mfa', { amr: ['pwd', 'mfa'] }, true],
    ['amr as a text', { amr: 'mfa' }, false],
    ['amr without mfa', { amr: ['pwd'] }, false],
    ['acr without configured values', { acr: 'c1' }, false],
    ['acrs without configured values', { acrs: ['c1'] }, false],
    ['multipleauthn', { authnmethods: ['http://schemas.microsoft.com/claims/multipleauthn'] }, true],
    ['another method', { authnmethods: ['http://schemas.microsoft.com/ws/2008/06/identity/claims/x509'] }, false],
    ['a context of two factors', { authncontext: [`${CLASSES}:MobileTwoFactorContract`] }, true],
    ['a smart card with a PIN', { authncontext: [`${CLASSES}:SmartcardPKI`] }, true],
    ['a password', { authncontext: [`${CLASSES}:PasswordProtectedTransport`] }, false],
    ['nothing', {}, false],
  ])('by default, %s: %j is %s', (_, said, isProven) => {
    expect(assertsMfa(trust(), said)).toBe(isProven);
    expect(assertsMfa(trust({ trustsIdpMfa: false }), said)).toBe(false);
  });

  it('counts only of the kinds that the provider is set to, with their exact values', () => {
    const acrs = trust({ mfaEvidence: ['acrs'], mfaEvidenceValues: { acrs: ['c1', 'c2'] } });
    expect([
      assertsMfa(acrs, { acrs: ['c2'] }),
      assertsMfa(acrs, { acrs: 'c1' }),
      assertsMfa(acrs, { acrs: ['C1', 'c11'] }),
      assertsMfa(acrs, { amr: ['mfa'] }),
      assertsMfa(trust({ mfaEvidenceValues: { amr: ['hwk'] } }), { amr: ['mfa'] }),
    ]).toEqual([true, true, false, false, false]);
  });

  it('is asked for by its contexts, where there are any', () => {
    const asked = (values: string[]): unknown =>
      JSON.parse(claimsRequest(trust({ mfaEvidenceValues: { acrs: values } })) ?? 'null');
    expect([asked([]), asked(['c1']), asked(['c1', 'c2'])]).toEqual([
      null,
      { id_token: { acrs: { essential: true, value: 'c1' } } },
      { id_token: { acrs: { essential: true, values: ['c1', 'c2'] } } },
    ]);
  });

  it('is set by each preset as its provider sends it', () => {
    const evidenceOf = (id: string) => presetOf(id)?.mfaEvidence.join();
    expect(['azure-ad', 'okta', 'azure-ad-saml', 'adfs-saml', 'okta-saml'].map(evidenceOf)).toEqual([
      'amr,acrs',
      'amr',
      'authnmethods',
      'authnmethods',
      'authncontext',
    ]);
  });

  it('is read of SAML from the signed assertion', () => {
    const name = 'http://schemas.microsoft.com/claims/authnmethodsreferences';
    const subject = { nameId: 'n', nameIdFormat: null, sessionIndex: null, attributes: [[name, ['x']] as const] };
    expect(samlAuthentication({ ...subject, authnContexts: ['y'] })).toEqual({
      authnmethods: ['x'],
      authncontext: ['y'],
    });
  });
});

describe('SSO-90 a SAML attribute by its FriendlyName', () => {
  it('is the one of exactly that name, and must be the only one', () => {
    expect(emailOf([['urn:oid:1', ['a@b.example'], 'mail']])).toBe('a@b.example');
    expect(emailOf([['urn:oid:1', ['a@b.example'], 'Mail']])).toBeUndefined();
    expect(() =>
      emailOf([
        ['urn:oid:1', ['a@b.example'], 'mail'],
        ['urn:oid:2', ['c@d.example'], 'mail'],
      ]),
    ).toThrow('2 attributes');
  });

  const emailOf = (attributes: [string, string[], string?][]): unknown => {
    const subject = { nameId: 'n', nameIdFormat: 'persistent', sessionIndex: null, attributes };
    return samlClaims(subject, { ...DEFAULT_MAPPING, email: 'friendly:mail' })['email'];
  };
});

describe('SSO-91 one tenant of Microsoft Entra ID', () => {
  it.each([
    [ISSUER, TENANT],
    ['https://login.microsoftonline.com/common/v2.0', null],
    ['https://login.microsoftonline.com/organizations/v2.0', null],
    [`https://sts.windows.net/${TENANT}/`, null],
    [`https://login.microsoftonline.com.evil.example/${TENANT}/v2.0`, null],
    [null, null],
  ])('is known by the issuer %s', (issuer, tenant) => {
    expect(entraTenantOf(issuer)).toBe(tenant);
  });

  const verified = (issuer: string, ...documents: Claims[]): boolean | undefined =>
    mapClaims(entraClaims({ issuer, subjectClaim: 'sub' }, documents), DEFAULT_MAPPING)?.emailVerified;
  const idToken = { sub: 's', tid: TENANT, email: 'a@b.example' };

  it.each<[unknown, boolean | undefined]>([
    [true, true],
    ['1', true],
    [1, true],
    ['True', true],
    [false, undefined],
    ['0', undefined],
    [undefined, undefined],
  ])('vouches for the address by xms_edov %j: %s', (xms_edov, isVerified) => {
    expect(verified(ISSUER, { ...idToken, xms_edov })).toBe(isVerified);
  });

  it.each<[string, string, Claims[], boolean | undefined]>([
    ['beside email_verified', ISSUER, [{ ...idToken, email_verified: false }], false],
    ['beside email_verified in userinfo', ISSUER, [idToken, { email_verified: false }], false],
    ['of another tenant', ISSUER, [{ ...idToken, tid: 'other' }], undefined],
    ['of another issuer', 'https://idp.example', [idToken], undefined],
    ['without an address', ISSUER, [{ ...idToken, email: undefined }, { email: 'a@b.example' }], undefined],
  ])('ENTRA-02, ENTRA-03, ENTRA-05: xms_edov %s vouches for nothing', (_, issuer, [first = {}, ...rest], expected) => {
    expect(verified(issuer, { ...first, xms_edov: true }, ...rest)).toBe(expected);
  });

  it('says in userinfo nothing about its address', () => {
    expect(verified(ISSUER, idToken, { xms_edov: true })).toBeUndefined();
  });

  it('names its users by their oid where the provider is set so', () => {
    const subjectOf = (...documents: Claims[]): string | undefined =>
      mapClaims(entraClaims({ issuer: ISSUER, subjectClaim: 'oid' }, documents), DEFAULT_MAPPING)?.externalId;
    expect(subjectOf({ ...idToken, oid: 'o' }, { sub: 's' })).toBe('o');
    for (const document of [idToken, { ...idToken, oid: 'o', tid: 'other' }, { ...idToken, oid: 7 }])
      expect(() => subjectOf(document)).toThrow('no oid of this tenant');
  });
});

const trust = (more: Partial<MfaTrust> = {}): MfaTrust => ({
  trustsIdpMfa: true,
  mfaEvidence: ['amr', 'acr', 'acrs', 'authnmethods', 'authncontext'],
  mfaEvidenceValues: {},
  ...more,
});
