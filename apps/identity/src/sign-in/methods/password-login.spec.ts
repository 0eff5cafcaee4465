import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../people/accounts.repository.ts';
import { signInFault } from './password-login.service.ts';

const membership = {
  id: 'm',
  governed: false,
  upcoming: null,
  scope: 'system',
  partnerId: null,
  partnerName: null,
  orgId: null,
  orgName: null,
  role: 'Partner Admin',
} as const;
const account = (overrides: Partial<Account> = {}): Account => ({
  id: 'u',
  email: 'a@b.test',
  name: 'A',
  status: 'active',
  breakGlass: false,
  passwordHash: 'x',
  locked: false,
  governed: false,
  memberships: [membership],
  methods: [],
  ...overrides,
});

describe('signInFault', () => {
  it.each([
    ['nobody', null, true, 'unknown_user'],
    ['a right password', account(), true, null],
    ['a wrong password', account(), false, 'wrong_password'],
    ['a governed person with the right password', account({ governed: true }), true, 'sso_enforced'],
    [
      'a governed person with a wrong password, which does not count towards a lock',
      account({ governed: true }),
      false,
      'sso_enforced',
    ],
    ['a locked account with the right password', account({ locked: true }), true, 'locked'],
    [
      'a locked account with a wrong password, which does not prolong the lock',
      account({ locked: true }),
      false,
      'locked',
    ],
    ['a suspended person', account({ status: 'suspended' }), true, 'not_active'],
    ['an invitation not yet accepted', account({ status: 'invited' }), true, 'not_active'],
    ['a person without a living membership', account({ memberships: [] }), true, 'no_membership'],
  ] as const)('judges %s', (_, who, matches, fault) => {
    expect(signInFault(who, matches)).toBe(fault);
  });
});
