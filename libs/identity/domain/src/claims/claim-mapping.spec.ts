import { describe, expect, it } from '@jest/globals';
import {
  assertsMfa,
  EMAIL_NAME_ID,
  EXAMPLES,
  isDomainAllowed,
  isLogo,
  isStillEntitled,
  linkFault,
  mapClaims,
  parseStateCookie,
  PRESETS,
  SAML_CLAIM_MAPPING,
  samlClaims,
  type RoleFacts,
} from '../index.ts';

describe('claims', () => {
  it('become a person, with the address folded', () => {
    expect(
      mapClaims(
        [
          { sub: 's', email: 'A@Corp.Example', email_verified: true },
          { name: 'Ada', groups: ['x', 7, 'y'] },
        ],
        MAPPING,
      ),
    ).toEqual({
      externalId: 's',
      email: 'a@corp.example',
      emailDomain: 'corp.example',
      emailVerified: true,
      name: 'Ada',
      groups: ['x', 'y'],
    });
  });

  it('give the name from its parts, or from the address', () => {
    const nameOf = (claims: object): string | undefined =>
      mapClaims([{ sub: 's', email: 'a@b.example', ...claims }], MAPPING)?.name;
    expect([
      nameOf({ given_name: 'Ada', family_name: 'L' }),
      nameOf({ family_name: 'L' }),
      nameOf({}),
      nameOf({ name: 'x\u0000y'.repeat(200) })?.length,
    ]).toEqual(['Ada L', 'L', 'a@b.example', 255]);
  });

  it.each([
    [{ email: 'a@b.example' }],
    [{ sub: 7, email: 'a@b.example' }],
    [{ sub: 's'.repeat(256), email: 'a@b.example' }],
    [{ sub: 's' }],
    [{ sub: 's', email: ['a@b.example'] }],
    [{ sub: 's', email: 'a b@c.example' }],
    [{ sub: 'a\0', email: 'a@b.example' }],
    [{ sub: '\ud800', email: 'a@b.example' }],
  ])('are unusable: %j', (claims) => {
    expect(mapClaims([claims], MAPPING)).toBeNull();
  });

  it.each([
    [[{ email_verified: true }], true],
    [[{ email_verified: 'true' }], true],
    [[{ email_verified: false }], false],
    [[{ email_verified: 'false' }], false],
    [[{ email_verified: 'yes' }], false],
    [[{ email_verified: null }], undefined],
    [[{ email_verified: '' }], undefined],
    [[{ email_verified: 'TRUE' }], true],
    [[{ email_verified: 1 }], true],
    [[{ email_verified: '1' }], true],
    [[{ email_verified: 0 }], false],
    [[{}], undefined],
    [[{ email_verified: true }, { email_verified: false }], false],
    [[{ email: 'other@b.example', email_verified: true }, { email: 'a@b.example' }], undefined],
    [[{ email_verified: true }, { email: 'a@b.example' }], true],
  ])('say of verification %j: %s', (documents, verified) => {
    expect(
      mapClaims(
        [{ sub: 's', email: 'a@b.example' }, ...documents.map((document) => ({ ...document }))].map((one, at) =>
          at === 0 && documents.some((d) => 'email' in d) ? { sub: 's' } : one,
        ),
        MAPPING,
      )?.emailVerified,
    ).toBe(verified);
  });

  it.each([{ email: 'a@b.example' }, { email: null }, {}])(
    'do not let email_verified vouch for another claim that the mapping chose: %j',
    (own) => {
      const claims = { sub: 's', ...own, email_verified: true, upn: 'boss@b.example' };
      expect(mapClaims([claims], { ...MAPPING, email: 'upn' })?.emailVerified).toBeUndefined();
    },
  );

  it.each([null, ''])('of the ID token stand where userinfo says %j', (unsaid) => {
    const idToken = { sub: 's', email: 'a@b.example', email_verified: true, name: 'Ada' };
    const userInfo = { sub: 's', email: unsaid, email_verified: unsaid, name: unsaid };
    expect(mapClaims([idToken, userInfo], MAPPING)).toMatchObject({
      email: 'a@b.example',
      emailVerified: true,
      name: 'Ada',
    });
  });
});

describe('SAML attributes', () => {
  it('are known by the table of the specification, under the mapping, and one group is a list too', () => {
    const attributes = [
      ['urn:oid:0.9.2342.19200300.100.1.3', ['a@b.example']],
      ['urn:oid:2.5.4.42', ['Ada']],
      ['urn:oid:2.5.4.4', ['L']],
      ['http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', ['one']],
      ['custom', ['c@b.example']],
    ] as const;
    const subject = { nameId: 'n', nameIdFormat: null, sessionIndex: null, attributes };
    expect(mapClaims([samlClaims(subject, { email: 'email', name: 'name' })], SAML_CLAIM_MAPPING)).toMatchObject({
      externalId: 'n',
      email: 'a@b.example',
      name: 'Ada L',
      groups: ['one'],
      emailVerified: undefined,
    });
    expect(mapClaims([samlClaims(subject, { email: 'custom', name: 'name' })], SAML_CLAIM_MAPPING)?.email).toBe(
      'c@b.example',
    );
  });

  it('may be missing or empty when the NameID is an address', () => {
    const subject = { nameId: 'a@b.example', sessionIndex: null, attributes: [['email', ['']]] } as const;
    const emailOf = (nameIdFormat: string | null) =>
      mapClaims([samlClaims({ ...subject, nameIdFormat }, MAPPING)], SAML_CLAIM_MAPPING)?.email;
    for (const format of [EMAIL_NAME_ID, 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', null])
      expect(emailOf(format)).toBe('a@b.example');
    for (const format of ['persistent', 'transient'])
      expect(emailOf(`urn:oasis:names:tc:SAML:2.0:nameid-format:${format}`)).toBeUndefined();
  });

  it('give the subject too when the NameID is made for one sign-in only', () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    const subjectOf = (attributes: [string, string[]][]) =>
      mapClaims(
        [samlClaims({ nameId: '_4711', nameIdFormat, sessionIndex: null, attributes }, MAPPING)],
        SAML_CLAIM_MAPPING,
      )?.externalId;
    expect([subjectOf([['email', ['A@b.example']]]), subjectOf([])]).toEqual(['a@b.example', undefined]);
  });

  it('may have several values, in one or in several attributes: the first address is taken, and all groups', () => {
    const attributes = [
      ['email', ['main@b.example', 'other@b.example']],
      ['groups', ['one']],
      ['email', ['third@b.example']],
      ['groups', ['two']],
    ] as const;
    expect(
      mapClaims(
        [
          samlClaims(
            { nameId: 'n', nameIdFormat: null, sessionIndex: null, attributes },
            { ...MAPPING, groups: 'groups' },
          ),
        ],
        SAML_CLAIM_MAPPING,
      ),
    ).toMatchObject({ email: 'main@b.example', groups: ['one', 'two'] });
  });
});

describe('small rules', () => {
  it('compare allowed domains exactly and fold ASCII only', () => {
    expect([
      isDomainAllowed('a@CORP.example', 'corp.example'),
      isDomainAllowed('a@\u212Aorp.example', 'korp.example'),
      isDomainAllowed('a@x.corp.example', 'corp.example'),
      isDomainAllowed('a@any.example', null),
    ]).toEqual([true, false, false, true]);
  });

  it('take a second factor only from a list', () => {
    const asserts = (trustsIdpMfa: boolean, amr: unknown): boolean =>
      assertsMfa({ trustsIdpMfa, mfaEvidence: ['amr'], mfaEvidenceValues: {} }, { amr });
    expect([
      asserts(true, ['pwd', 'mfa']),
      asserts(true, 'nomfa'),
      asserts(true, { mfa: true }),
      asserts(false, ['mfa']),
    ]).toEqual([true, false, false, false]);
  });

  it('read a state cookie of the right form only', () => {
    const half = 'a'.repeat(43);
    expect([
      parseStateCookie(`${half}.${half}`),
      parseStateCookie(half),
      parseStateCookie(''),
      parseStateCookie(undefined),
      parseStateCookie(`${half}.${half}a`),
    ]).toEqual([{ state: half, mac: half }, null, null, null, null]);
  });

  it('keep a default role in force while one membership of its chooser still covers it', () => {
    const role: RoleFacts = {
      axis: 'organization',
      partnerId: null,
      orgId: null,
      system: true,
      permissions: ['devices:read'],
    };
    expect([
      isStillEntitled([['*']], role),
      isStillEntitled([['organizations:write', 'devices:read']], role),
      isStillEntitled([['organizations:write'], ['devices:read']], role),
      isStillEntitled([], role),
    ]).toEqual([true, true, false, false]);
  });

  it('link the own address only, to one person only', () => {
    const identity = {
      externalId: 's',
      email: 'a@b.example',
      emailDomain: 'b.example',
      emailVerified: undefined,
      name: 'A',
      groups: [],
    };
    const facts = { person: { userId: 'u', email: 'a@b.example' }, holderId: null, allowedDomains: null };
    expect(linkFault(identity, facts)).toBeNull();
    expect(linkFault(identity, { ...facts, holderId: 'u', allowedDomains: 'c.example,b.example' })).toBeNull();
    expect(linkFault(identity, { ...facts, holderId: 'v' })).toBe('identity_in_use');
    expect(linkFault(identity, { ...facts, person: { userId: 'u', email: 'b@b.example' } })).toBe('email_mismatch');
    expect(linkFault(identity, { ...facts, allowedDomains: 'c.example' })).toBe('domain_not_allowed');
    expect(linkFault({ ...identity, emailVerified: false }, facts)).toBe('email_unverified');
    expect(linkFault(identity, { ...facts, person: null })).toBe('user_gone');
  });

  it('know nine presets, each with a mapping of address and name', () => {
    expect(
      PRESETS.map(({ type }) => type)
        .sort()
        .join(),
    ).toBe([...Array<string>(4).fill('oidc'), ...Array<string>(5).fill('saml')].join());
    expect(PRESETS.every(({ attributeMapping }) => attributeMapping.email && attributeMapping.name)).toBe(true);
  });

  it('SSO-93: tell for each preset, and for Keycloak, what to do at the provider with our addresses', () => {
    for (const { type, steps } of [...PRESETS, ...EXAMPLES]) {
      expect(steps.length).toBeGreaterThanOrEqual(3);
      const named = new Set(steps.join(' ').match(/\{\w+\}/g));
      expect(named).toContain(type === 'oidc' ? '{callback_url}' : '{acs_url}');
      expect(['{callback_url}', '{acs_url}', '{entity_id}', '{metadata_url}']).toEqual(
        expect.arrayContaining([...named]),
      );
    }
  });

  it('SSO-207: tell for each SAML preset what to do about encryption, and what must be signed where that is no default', () => {
    for (const { type, steps } of PRESETS) expect(steps.some((step) => /encrypt/i.test(step))).toBe(type === 'saml');
    const stepsOf = (id: string) => PRESETS.find((preset) => preset.id === id)?.steps.join(' ');
    expect(stepsOf('onelogin-saml')).toMatch(/signature element Assertion.*Signature Algorithm SHA-256/s);
    expect(stepsOf('google-saml')).toContain('Leave Signed response off');
  });

  it('take a logo by what it is, not by what it says', () => {
    expect([
      isLogo('https://cdn.example/logo.png'),
      isLogo('http://cdn.example/logo.png'),
      isLogo('https://user:pw@cdn.example/'),
      isLogo('data:image/png;base64,PGh0bWw+'),
    ]).toEqual([true, false, false, false]);
  });
});

const MAPPING = { email: 'email', name: 'name', firstName: 'given_name', lastName: 'family_name', groups: 'groups' };
