import { describe, expect, it } from '@jest/globals';
import { TRACE_STEPS } from '@gatehouse/contracts-identity';
import { type AccountFacts, decideAccount } from './accounts/account-decision.ts';
import type { Identity } from './claims/claim-mapping.ts';
import { DEFAULT_MAPPING } from './providers/presets.ts';
import { type Evidence, StepFailure, traceOf, type TracedProvider } from './trace.ts';

const person = { userId: 'u', active: true, membershipId: 'm', breakGlass: false };
const CASES: readonly Case[] = [
  ['an archived owner', { ownerOpen: false }, {}, 'account owner_closed'],
  ['a suspended account', { linked: { ...person, active: false, selfLinked: false } }, {}, 'account account_suspended'],
  ['no membership', { linked: { ...person, membershipId: null, selfLinked: false } }, {}, 'account no_membership'],
  ['an unverified address', {}, { emailVerified: false }, 'claims email_unverified'],
  ['an unproven domain', { domainVerified: false }, { emailVerified: undefined }, 'domain domain_not_verified'],
  ['a missing role', { defaultRole: 'missing' }, {}, 'role default_role_missing'],
  ['a role beyond its author', { defaultRole: 'not_entitled' }, {}, 'role default_role_not_entitled'],
];

describe('the trace of a sign-in', () => {
  it.each(CASES)('names %s as the decision found it, and every step once', (_, facts, identity, expected) => {
    const evidence: Evidence = { identity: { ...IDENTITY, ...identity }, facts: { ...FACTS, ...facts } };
    const decision = decideAccount(evidence.identity ?? IDENTITY, evidence.facts ?? FACTS, POLICY);
    if (decision.kind !== 'refuse') throw new Error('the case is not refused');
    const trace = traceOf({ verdict: 'refused', code: decision.code, provider: PROVIDER, evidence });
    expect(trace.steps.map(({ step }) => step)).toEqual(TRACE_STEPS);
    const failed = trace.steps.find(({ outcome }) => outcome === 'failed');
    expect(`${failed?.step} ${failed?.code}`).toBe(expected);
  });

  it('notes that a provider which is trusted for a second factor proved none, with what it said', () => {
    const mfa = { proven: false, lookedFor: ['amr', 'acrs'], seen: { amr: ['pwd'] } };
    const trace = traceOf({
      verdict: 'signed_in',
      code: null,
      provider: PROVIDER,
      evidence: { identity: IDENTITY, mfa },
    });
    expect(trace.steps.find(({ step }) => step === 'mfa')).toMatchObject({
      outcome: 'noted',
      code: 'mfa_not_proven',
      facts: { trusted: true, lookedFor: ['amr', 'acrs'], seen: { amr: ['pwd'] } },
    });
  });

  it('SSO-206: shows the hd of Google beside the mapped claims, and of no other claim the value', () => {
    const documents = [{ sub: 's', email: 'ada@acme.example', hd: 'acme.example', picture: 'x' }];
    const trace = traceOf({ verdict: 'signed_in', code: null, provider: PROVIDER, evidence: { documents } });
    expect(trace.steps.find(({ step }) => step === 'claims')?.facts['claims']).toEqual({
      sub: { type: 'string', length: 1 },
      email: 'ada@acme.example',
      hd: 'acme.example',
      picture: { type: 'string', length: 1 },
    });
  });

  it('stays within its limits, whatever a provider sends', () => {
    const documents = [Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`claim${at}`, 'x'.repeat(9_000)]))];
    const cause = new StepFailure('mapping', 'email_missing', 'y'.repeat(9_000));
    const trace = traceOf({
      verdict: 'refused',
      code: 'sso_error',
      cause,
      provider: PROVIDER,
      evidence: { documents },
    });
    expect(JSON.stringify(trace).length).toBeLessThan(10_000);
    expect(trace.steps.find(({ outcome }) => outcome === 'failed')?.detail).toHaveLength(500);
  });
});

const PROVIDER: TracedProvider = {
  type: 'oidc',
  attributeMapping: DEFAULT_MAPPING,
  allowedDomains: null,
  trustsIdpMfa: true,
  defaultRoleId: null,
};
const IDENTITY: Identity = {
  externalId: 's',
  email: 'ada@acme.example',
  emailDomain: 'acme.example',
  emailVerified: true,
  name: 'Ada',
  groups: [],
};
const FACTS: AccountFacts = {
  ownerOpen: true,
  linked: null,
  byEmail: null,
  domainVerified: true,
  defaultRole: 'fine',
};
const POLICY = { axis: 'organization', allowedDomains: null, autoProvision: true, enforceSso: false } as const;

type Case = readonly [string, Partial<AccountFacts>, Partial<Identity>, string];
