import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AccountFacts,
  type AccountPolicy,
  decideAccount,
  type Identity,
  mayBeTold,
  type Person,
  redirectPath,
  traceOf,
  WOULD,
} from '../index.ts';

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

const PROVIDER = {
  type: 'oidc',
  attributeMapping: { email: 'email', name: 'name' },
  allowedDomains: null,
  trustsIdpMfa: false,
  defaultRoleId: null,
} as const;

/** What a test says: the trace of the decision, or of none when it may not be told. */
function told(who: Identity, known: AccountFacts, rules: AccountPolicy) {
  const decision = decideAccount(who, known, rules);
  const isTold = mayBeTold(decision, known);
  return traceOf({
    verdict: isTold ? WOULD[decision.kind] : 'not_told',
    code: isTold && decision.kind === 'refuse' ? decision.code : null,
    provider: PROVIDER,
    evidence: { identity: who, facts: known, ...(isTold && { decision }) },
  });
}

describe('the trace of a test, whatever the facts', () => {
  it('says what a sign-in decides, and the decision is the same with and without it (SSO-95)', () => {
    fc.assert(
      fc.property(identity, facts, policy, (who, known, rules) => {
        const before = decideAccount(who, known, rules);
        const trace = told(who, known, rules);
        expect(decideAccount(who, known, rules)).toEqual(before);
        if (trace.verdict === 'not_told') return;
        const failed = trace.steps.filter(({ step, outcome }) => outcome === 'failed' && step !== 'verdict');
        expect([trace.verdict, trace.code, failed.length]).toEqual(
          before.kind === 'refuse' ? ['would_refuse', before.code, 1] : [WOULD[before.kind], null, 0],
        );
      }),
    );
  });

  it('is the same for a stranger with an account and for one without (SSO-97, TRIAL-03)', () => {
    const unknown = { linked: null, domainVerified: false };
    fc.assert(
      fc.property(identity, facts, policy, (who, known, rules) => {
        const stranger = known.byEmail && { ...known.byEmail, membershipId: null };
        const ask = (byEmail: AccountFacts['byEmail']) => told(who, { ...known, ...unknown, byEmail }, rules);
        expect(ask(stranger)).toEqual(ask(null));
      }),
    );
  });
});

describe('the redirect path', () => {
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

  const hostile = fc
    .array(
      fc.constantFrom('/', '\\', '.', '..', '//', 'evil.com', '@', ':', '\t', '\n', '%2f', '%5c', '?', '#', 'a', ' '),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));
});

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
