import { describe, expect, it } from '@jest/globals';
import {
  changesTrust,
  effectsOfChange,
  isDomainAllowed,
  missingPermissions,
  missingSettings,
  type SignInSettings,
} from '../index.ts';

describe('the settings that a provider lacks', () => {
  const entered = { issuer: 'https://idp.example', clientId: 'c', clientSecret: 's' };
  const discovered = { authorizationUrl: 'a', tokenUrl: 't', jwksUrl: 'j' };

  it.each([
    ['what a person enters, before what discovery finds', {}, ['issuer', 'clientId', 'clientSecret']],
    ['one that a person left out', { ...entered, clientSecret: null }, ['clientSecret']],
    ['the endpoints, once nothing else is missing', entered, ['authorizationUrl', 'tokenUrl', 'jwksUrl']],
    ['none', { ...entered, ...discovered }, []],
  ])('are %s', (_, settings, missing) => {
    expect(missingSettings('oidc', settings)).toEqual(missing);
  });
});

describe('trust in a provider', () => {
  it.each([
    ['another name', {}, []],
    ['another type', { type: 'saml' as const }, ['links', 'sessions']],
    ['another issuer', { issuer: 'https://b.example' }, ['links', 'sessions']],
    ['another entity id', { entityId: 'urn:b' }, ['links', 'sessions']],
    ['no second factor any more', { trustsIdpMfa: false }, ['secondFactors']],
    ['other evidence of a second factor', { mfaEvidence: ['acr' as const] }, ['secondFactors']],
    ['other values of evidence', { mfaEvidenceValues: { amr: ['otp'] } }, ['secondFactors']],
    ['another client', { clientId: 'other' }, []],
    ['another claim as the subject', { subjectClaim: 'oid' as const }, ['links', 'sessions']],
    ['inactive', { status: 'inactive' as const }, ['sessions']],
    ['testing', { status: 'testing' as const }, ['sessions']],
    ['inactive, with another issuer', { status: 'inactive' as const, issuer: null }, ['links', 'sessions']],
  ])('ATK-08: %s ends what stood on it', (_, change, ended) => {
    const lost = effectsOfChange({ before: BEFORE, after: { ...BEFORE, ...change } });
    expect(
      Object.entries(lost)
        .filter(([, isLost]) => isLost)
        .map(([name]) => name),
    ).toEqual(ended);
  });

  it('ENTRA-04: another client at Entra names its users otherwise, unless their subject is the oid', () => {
    const ended = (subjectClaim: 'sub' | 'oid'): boolean => {
      const before = { ...BEFORE, issuer: ENTRA, subjectClaim };
      return effectsOfChange({ before, after: { ...before, clientId: 'other' } }).links;
    };
    expect([ended('sub'), ended('oid')]).toEqual([true, false]);
  });

  it('ATK-01: is not changed by a name or a client secret', () => {
    expect([changesTrust({ name: 'x', clientSecretSealed: 'y' }), changesTrust({ name: 'x', jwksUrl: null })]).toEqual([
      false,
      true,
    ]);
  });

  it('ATK-01: names each permission that is missing once', () => {
    expect(
      missingPermissions(new Set(['users:read']), ['users:write', 'users:read', 'audit:read', 'users:write']),
    ).toEqual(['audit:read', 'users:write']);
    expect([
      missingPermissions(new Set(['*']), ['*', 'users:read']),
      missingPermissions(new Set(['users:read']), ['*']),
    ]).toEqual([[], ['*']]);
  });

  it('ATK-10a: domains that come to none allow none', () => {
    expect([
      isDomainAllowed('a@corp.example', ' , ,'),
      isDomainAllowed('a@corp.example', ''),
      isDomainAllowed('a@corp.example', null),
    ]).toEqual([false, true, true]);
  });
});

const BEFORE: SignInSettings = {
  type: 'oidc',
  issuer: 'https://a.example',
  entityId: null,
  status: 'active',
  clientId: 'client',
  subjectClaim: 'sub',
  trustsIdpMfa: true,
  mfaEvidence: ['amr'],
  mfaEvidenceValues: {},
};
const ENTRA = 'https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/v2.0';
