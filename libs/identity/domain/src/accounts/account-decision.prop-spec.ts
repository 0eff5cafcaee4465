import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideAccount, type Person, redirectPath } from '../index.ts';

const standing = {
  userId: fc.constantFrom('u1', 'u2'),
  active: fc.boolean(),
  membershipId: fc.option(fc.constant('m')),
  breakGlass: fc.boolean(),
};
const person = fc.record(standing);
const linkedPerson = fc.record({ ...standing, selfLinked: fc.boolean() });
const identity = fc.record({
  externalId: fc.constant('sub'),
  email: fc.constant('a@corp.example'),
  emailDomain: fc.constantFrom('corp.example', null),
  emailVerified: fc.constantFrom(true, false, undefined),
  name: fc.constant('A'),
  groups: fc.constant([]),
});
const facts = fc.record({
  ownerOpen: fc.boolean(),
  linked: fc.option(linkedPerson),
  domainVerified: fc.boolean(),
  defaultRole: fc.constantFrom('fine' as const, 'missing' as const, 'not_entitled' as const),
  byEmail: fc.option(
    fc
      .tuple(person, fc.boolean(), fc.boolean())
      .map(([one, hasPassword, hasOtherIdentity]) => ({ ...one, hasPassword, hasOtherIdentity })),
  ),
});
const policy = fc.record({
  axis: fc.constantFrom('organization' as const, 'partner' as const),
  allowedDomains: fc.constantFrom(null, 'corp.example', 'other.example'),
  autoProvision: fc.boolean(),
  enforceSso: fc.boolean(),
});

describe('whatever the facts', () => {
  it('nobody enters who is suspended, has no membership, or whose address is reported unverified', () => {
    fc.assert(
      fc.property(identity, facts, policy, (who, known, rules) => {
        const decision = decideAccount(who, known, rules);
        if (decision.kind === 'refuse') return;
        expect(who.emailVerified === false || !known.ownerOpen).toBe(false);
        const entering: Person | null = decision.kind === 'sign_in' ? known.linked : (known.linked ?? known.byEmail);
        if (decision.kind !== 'provision') expect([entering?.active, entering?.membershipId]).toEqual([true, 'm']);
      }),
    );
  });

  it('ATK-01: no break-glass person enters without a link of their own, and no password is passed by without proof of the address', () => {
    fc.assert(
      fc.property(identity, facts, policy, (who, known, rules) => {
        const { kind } = decideAccount(who, known, rules);
        if (kind === 'sign_in' && known.linked?.breakGlass) expect(known.linked.selfLinked).toBe(true);
        if (kind !== 'adopt') return;
        const isProven = rules.enforceSso && known.domainVerified && who.emailVerified === true;
        expect([known.byEmail?.breakGlass, !known.byEmail?.hasPassword || isProven]).toEqual([false, true]);
      }),
    );
  });

  it('a partner never creates or adopts a user', () => {
    fc.assert(
      fc.property(identity, facts, policy, (who, known, rules) => {
        const { kind } = decideAccount(who, known, { ...rules, axis: 'partner' });
        expect(kind === 'park' ? known.linked?.breakGlass : ['sign_in', 'refuse'].includes(kind)).toBe(true);
      }),
    );
  });
});

describe('the redirect path', () => {
  const hostile = fc
    .array(
      fc.constantFrom('/', '\\', '.', '..', '//', 'evil.com', '@', ':', '\t', '\n', '%2f', '%5c', '?', '#', 'a', ' '),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));
  it('always stays on our own origin, also once a browser has resolved it', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string(), fc.webUrl()), (wanted) => {
        const path = redirectPath(wanted);
        const resolved = new URL(`https://app.example${path}`);
        expect([resolved.origin, path.startsWith('//')]).toEqual(['https://app.example', false]);
        expect(new URL(path, 'https://app.example').origin).toBe('https://app.example');
      }),
      { numRuns: 2_000 },
    );
  });
});
