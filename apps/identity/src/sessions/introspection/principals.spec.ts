import { describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, type CredentialRow, narrowed, sessionPrincipal } from './principals.ts';

const row = (overrides: Partial<CredentialRow>): CredentialRow => ({
  id: 'c',
  userId: 'u',
  membershipId: 'm',
  name: 'n',
  email: 'n@example.test',
  level: 'partner',
  partnerId: 'p',
  orgId: null,
  orgAccess: 'all',
  orgIds: [],
  siteIds: [],
  permissions: ['*'],
  partnerActive: true,
  providerId: null,
  expiresAt: null,
  ...overrides,
});

describe('a principal', () => {
  it.each([
    [row({ orgAccess: 'all' }), 'all', 'all'],
    [row({ orgAccess: 'selected', orgIds: ['o1'] }), ['o1'], 'all'],
    [row({ orgAccess: 'none' }), [], 'all'],
    [row({ level: 'organization', orgId: 'o2', siteIds: [] }), ['o2'], 'all'],
    [row({ level: 'organization', orgId: 'o2', siteIds: ['s1'] }), ['o2'], ['s1']],
    [row({ level: 'system', partnerId: null }), 'all', 'all'],
  ])('of membership %# reaches what the membership says', (membership, orgs, sites) => {
    expect(sessionPrincipal({ ...membership, mfa: false, confined: false })).toMatchObject({
      kind: 'user',
      id: 'u',
      sessionId: 'c',
      orgs,
      sites,
    });
  });

  it('of an API key is its owner, has the name of the key as a label, and never a second factor', () => {
    expect(apiKeyPrincipal({ ...row({}), label: 'carol@example.test', given: ['devices:read'] })).toMatchObject({
      kind: 'api_key',
      id: 'c',
      name: 'n',
      email: 'n@example.test',
      label: 'carol@example.test',
      sessionId: null,
      mfa: false,
      permissions: ['devices:read'],
    });
  });
});

describe('narrowed', () => {
  it.each([
    [['devices:read', 'users:write'], ['devices:read'], ['devices:read']],
    [['devices:read'], ['*'], ['devices:read']],
    [['*'], ['devices:read'], ['devices:read']],
    [['*'], ['*'], ['*']],
    [['devices:read'], [], []],
  ] as const)('a key of %j under a creator with %j does %j', (given, held, expected) => {
    expect(narrowed(given, held)).toEqual(expected);
  });
});
