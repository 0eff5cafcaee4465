import { describe, expect, it } from '@jest/globals';
import { type AccountFacts, type AccountPolicy, decideAccount, type Identity } from '../index.ts';

const person = { userId: 'u', active: true, membershipId: 'm', breakGlass: false };
const member = { ...person, selfLinked: false };
const emergency = { ...person, breakGlass: true };
const known = { ...person, hasPassword: false, hasOtherIdentity: false };

const CASES: Case[] = [
  ['a newcomer is created', {}, 'provision'],
  ['a linked person signs in', { facts: { linked: member } }, 'sign_in u m'],
  ['a known address is adopted', { facts: { byEmail: known } }, 'adopt u m'],
  [
    'an account with a password must be proven first',
    { facts: { byEmail: { ...known, hasPassword: true } } },
    'park u',
  ],
  [
    'ATK-01: enforcement alone proves no account',
    { facts: { byEmail: { ...known, hasPassword: true } }, policy: { enforceSso: true } },
    'park u',
  ],
  [
    'ATK-01: a domain of the owner proves it where the provider enforces and vouches',
    { facts: { byEmail: { ...known, hasPassword: true }, domainVerified: true }, policy: { enforceSso: true } },
    'adopt u m',
  ],
  [
    'ATK-01: it does not without enforcement',
    { facts: { byEmail: { ...known, hasPassword: true }, domainVerified: true } },
    'park u',
  ],
  [
    'ATK-01: nor when the provider does not vouch',
    {
      identity: { emailVerified: undefined },
      facts: { byEmail: { ...known, hasPassword: true }, domainVerified: true },
      policy: { enforceSso: true },
    },
    'park u',
  ],
  [
    'ATK-01: a break-glass person is not adopted',
    {
      facts: { byEmail: { ...known, ...emergency, hasPassword: true }, domainVerified: true },
      policy: { enforceSso: true },
    },
    'park u',
  ],
  [
    'ATK-01: nor without a password',
    { facts: { byEmail: { ...known, ...emergency }, domainVerified: true }, policy: { enforceSso: true } },
    'park u',
  ],
  [
    'ATK-01: nor signed in by a link that the provider made',
    { facts: { linked: { ...emergency, selfLinked: false } } },
    'park u',
  ],
  ['ATK-01: but by a link of their own', { facts: { linked: { ...emergency, selfLinked: true } } }, 'sign_in u m'],
  [
    'ATK-01: a suspended break-glass person proves nothing',
    { facts: { linked: { ...emergency, active: false, selfLinked: false } } },
    'no_org_access',
  ],
  [
    'the identity wins over the address',
    { facts: { linked: member, byEmail: { ...known, userId: 'other' } } },
    'sign_in u m',
  ],
  ['an unverified address is refused for a newcomer', { identity: { emailVerified: false } }, 'email_unverified'],
  [
    'an unverified address is refused for a linked person',
    { identity: { emailVerified: false }, facts: { linked: member } },
    'email_unverified',
  ],
  ['an unverified address is refused for a newcomer', { identity: { emailVerified: undefined } }, 'email_unverified'],
  [
    'an unverified address is refused for a known user',
    { identity: { emailVerified: undefined }, facts: { byEmail: known } },
    'email_unverified',
  ],
  [
    'a proven domain vouches for its addresses',
    { identity: { emailVerified: undefined }, facts: { domainVerified: true } },
    'provision',
  ],
  [
    'a linked person needs no vouching',
    { identity: { emailVerified: undefined }, facts: { linked: member } },
    'sign_in u m',
  ],
  [
    'a domain that is not allowed is refused for a linked person too',
    { facts: { linked: member }, policy: { allowedDomains: 'other.example' } },
    'domain_not_allowed',
  ],
  [
    'an address without a clear domain is refused',
    { identity: { email: 'a@b@corp.example', emailDomain: null } },
    'sso_error',
  ],
  [
    'and is no allowed domain',
    { identity: { email: 'a@b@corp.example', emailDomain: null }, policy: { allowedDomains: 'corp.example' } },
    'domain_not_allowed',
  ],
  [
    'a linked person without membership has no access',
    { facts: { linked: { ...member, membershipId: null } } },
    'no_org_access',
  ],
  ['a suspended person has no access', { facts: { linked: { ...member, active: false } } }, 'no_org_access'],
  [
    'a person of another organisation has no access',
    { facts: { byEmail: { ...known, membershipId: null } } },
    'no_org_access',
  ],
  ['a suspended person is not adopted', { facts: { byEmail: { ...known, active: false } } }, 'no_org_access'],
  [
    'a known person with another identity is a conflict',
    { facts: { byEmail: { ...known, hasOtherIdentity: true } } },
    'identity_conflict',
  ],
  ['nobody is created when that is off', { policy: { autoProvision: false } }, 'user_not_found'],
  ['nobody is created without a role', { facts: { defaultRole: 'missing' } }, 'default_role_required'],
  [
    'nobody is created with a role that its chooser may not grant',
    { facts: { defaultRole: 'not_entitled' } },
    'default_role_required',
  ],
  ['an existing member needs no role', { facts: { byEmail: known, defaultRole: 'missing' } }, 'adopt u m'],
  ['a closed organisation lets no user in', { facts: { ownerOpen: false, linked: member } }, 'no_org_access'],
  ['a partner creates nobody', { policy: { axis: 'partner' } }, 'invite_required'],
  [
    'a partner adopts no user by address',
    { facts: { byEmail: known }, policy: { axis: 'partner' } },
    'invite_required',
  ],
  ['a linked technician signs in', { facts: { linked: member }, policy: { axis: 'partner' } }, 'sign_in u m'],
  [
    'a former technician has no access',
    { facts: { linked: { ...member, membershipId: null } }, policy: { axis: 'partner' } },
    'no_partner_access',
  ],
  [
    'a closed partner lets no user in',
    { facts: { ownerOpen: false }, policy: { axis: 'partner' } },
    'no_partner_access',
  ],
];

describe('the account decision', () => {
  it.each(CASES)('%s', (_, { identity, facts, policy }, outcome) => {
    const decision = decideAccount({ ...SOMEBODY, ...identity }, { ...NOTHING, ...facts }, { ...OPEN, ...policy });
    const { kind, code, userId, membershipId } = { code: '', userId: '', membershipId: '', ...decision };
    expect(code || [kind, userId, membershipId].filter(Boolean).join(' ')).toBe(outcome);
  });
});

const SOMEBODY: Identity = {
  externalId: 'sub',
  email: 'a@corp.example',
  emailDomain: 'corp.example',
  emailVerified: true,
  name: 'A',
  groups: [],
};
const NOTHING: AccountFacts = {
  ownerOpen: true,
  linked: null,
  byEmail: null,
  domainVerified: false,
  defaultRole: 'fine',
};
const OPEN: AccountPolicy = { axis: 'organization', allowedDomains: null, autoProvision: true, enforceSso: false };

type Case = [
  sentence: string,
  change: { identity?: Partial<Identity>; facts?: Partial<AccountFacts>; policy?: Partial<AccountPolicy> },
  outcome: string,
];
