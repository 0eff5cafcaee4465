import {
  type AttemptCode,
  type AttributeMappingDto,
  type SsoProtocol,
  type StepCode,
  type StepOutcome,
  type TraceRecord,
  type TraceStep,
  TRACE_STEPS,
  type TraceStepRecord,
  type Verdict,
} from '@gatehouse/contracts-identity';
import type { AccountDecision, AccountFacts } from './accounts/account-decision.ts';
import { type Claims, type Identity, isSubject, mergedClaims } from './claims/claim-mapping.ts';
import { SAML_ATTRIBUTES, SAML_CLAIM_MAPPING, type SamlSubject } from './claims/saml-attributes.ts';

/** The end of a sign-in at one step. The message is shown to administrators: it holds no token, code or secret. */
export class StepFailure extends Error {
  constructor(
    readonly step: TraceStep,
    readonly code: StepCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StepFailure';
  }
}

/** What a sign-in has seen so far. */
export interface Evidence {
  documents?: readonly Claims[];
  identity?: Identity;
  facts?: AccountFacts;
  decision?: AccountDecision;
  /** The role that a test found the person would have. */
  role?: { readonly id: string; readonly name: string } | null;
  mfa?: { readonly proven: boolean; readonly lookedFor: readonly string[]; readonly seen: Claims };
}

/** The settings of the provider that the trace shows. */
export interface TracedProvider {
  readonly type: SsoProtocol;
  readonly attributeMapping: AttributeMappingDto;
  readonly allowedDomains: string | null;
  readonly trustsIdpMfa: boolean;
  readonly defaultRoleId: string | null;
}

/** What a test says of a decision (SSO-95); for other than these verdicts it proves nothing about the configuration. */
export const WOULD = {
  sign_in: 'would_sign_in',
  adopt: 'would_link',
  park: 'would_ask_for_proof',
  provision: 'would_provision',
  refuse: 'would_refuse',
} as const satisfies Record<AccountDecision['kind'], Verdict>;

export interface Ending {
  readonly verdict: Verdict;
  readonly code: AttemptCode | null;
  /** Why it was refused, as far as an error tells; the rest follows from the code and the facts. */
  readonly cause?: unknown;
  /** Null for a return that belongs to no sign-in. */
  readonly provider: TracedProvider | null;
  readonly evidence: Evidence;
}

/** Why claims could not be mapped: the subject comes first, then the address, which the provider calls `named`. */
export function mappingFailure(documents: readonly Claims[], mapping: AttributeMappingDto, named: string): StepFailure {
  const claims = mergedClaims(documents);
  if (!isSubject(claims['sub']))
    return new StepFailure('claims', 'subject_missing', 'the provider gave no usable subject');
  const what = claims[mapping.email] === undefined ? 'no claim' : 'no usable address in the claim';
  return new StepFailure('mapping', 'email_missing', `the provider gave ${what} ${named}`);
}

type Place = readonly [step: TraceStep, code: StepCode];

const PLACES: Readonly<Record<AttemptCode, Place>> = {
  session_expired: ['callback', 'state_unknown'],
  provider_changed: ['callback', 'provider_changed'],
  sso_error: ['account', 'internal_error'],
  email_unverified: ['claims', 'email_unverified'],
  domain_not_allowed: ['domain', 'domain_not_allowed'],
  no_org_access: ['account', 'no_membership'],
  no_partner_access: ['account', 'no_membership'],
  user_not_found: ['account', 'user_not_found'],
  identity_conflict: ['account', 'identity_conflict'],
  invite_required: ['account', 'invite_required'],
  link_required: ['account', 'proof_required'],
  default_role_required: ['role', 'default_role_missing'],
  email_mismatch: ['account', 'email_mismatch'],
  identity_in_use: ['account', 'identity_in_use'],
  user_gone: ['account', 'user_gone'],
};

function noAccess({ facts }: Evidence): Place | null {
  if (facts?.ownerOpen === false) return ['account', 'owner_closed'];
  return (facts?.linked ?? facts?.byEmail)?.active === false ? ['account', 'account_suspended'] : null;
}

/** The finer cause of a decision, from the facts that it was made from. */
const FINER: Partial<Record<AttemptCode, (evidence: Evidence) => Place | null>> = {
  no_org_access: noAccess,
  no_partner_access: noAccess,
  email_unverified: ({ identity }) =>
    identity?.emailVerified === undefined ? ['domain', 'domain_not_verified'] : null,
  default_role_required: ({ facts }) =>
    facts?.defaultRole === 'not_entitled' ? ['role', 'default_role_not_entitled'] : null,
  sso_error: ({ identity }) => (identity?.emailDomain === null ? ['mapping', 'email_missing'] : null),
};

function placeOf({ verdict, code, cause, evidence }: Ending): Place | null {
  if (cause instanceof StepFailure) return [cause.step, cause.code];
  return code && /refuse/.test(verdict) ? (FINER[code]?.(evidence) ?? PLACES[code]) : null;
}

const MAX_NAMES = 100;
const MAX_VALUE = 255;
const MAX_VALUES = 50;
const MAX_DETAIL = 500;

const cut = (text: string, max = MAX_VALUE): string => [...text.toWellFormed()].slice(0, max).join('');

/** A claim that is read nowhere, by its type and length only. */
function shapeOf(value: unknown): object {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const { length } = typeof value === 'string' || Array.isArray(value) ? value : (JSON.stringify(value) ?? '');
  return { type, length };
}

function valueOf(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (!Array.isArray(value)) return ['number', 'boolean'].includes(typeof value) ? value : shapeOf(value);
  return value.slice(0, MAX_VALUES).map((item) => (typeof item === 'string' ? cut(item) : shapeOf(item)));
}

type NamedClaim = readonly [name: string, value: unknown, friendlyName?: string];

/** The claims of an OpenID answer, or the attributes of a SAML assertion, under the names that the provider gave. */
function claimsIn(documents: readonly Claims[]): readonly NamedClaim[] {
  const saml = documents[0]?.['saml'] as SamlSubject | undefined;
  return saml ? saml.attributes : Object.entries(mergedClaims(documents));
}

/** The domain of the account at Google, which an administrator compares with the allowed ones (SSO-206). */
const NAMED_BY_GUIDES = ['hd'];

/** Every claim by name; its value only where the mapping reads it, or a guide names it. */
function claimFacts(documents: readonly Claims[], { type, attributeMapping }: TracedProvider): object {
  const mapped = new Set([
    ...Object.values(attributeMapping),
    ...NAMED_BY_GUIDES,
    ...(type === 'saml' ? [...Object.keys(SAML_ATTRIBUTES), ...Object.keys(SAML_CLAIM_MAPPING)] : []),
  ]);
  const isMapped = ([name, , friendlyName]: NamedClaim): boolean =>
    mapped.has(name) || (friendlyName !== undefined && mapped.has(`friendly:${friendlyName}`));
  const named = claimsIn(documents).slice(0, MAX_NAMES);
  return Object.fromEntries(
    named.map((claim) => [cut(claim[0]), isMapped(claim) ? valueOf(claim[1]) : shapeOf(claim[1])]),
  );
}

type Facts = Record<string, unknown>;
type Seeing = (evidence: Evidence, provider: TracedProvider) => Facts;

/** What each step saw. */
const FACTS: Partial<Record<TraceStep, Seeing>> = {
  claims: ({ documents }, provider) => (documents ? { claims: claimFacts(documents, provider) } : {}),
  mapping: ({ identity }) =>
    identity
      ? {
          email: cut(identity.email),
          name: identity.name,
          groups: identity.groups.slice(0, MAX_VALUES).map((group) => cut(group)),
        }
      : {},
  domain: ({ identity, facts }, { allowedDomains }) =>
    identity
      ? {
          domain: identity.emailDomain,
          allowedDomains,
          emailVerified: identity.emailVerified ?? null,
          ...(facts && !facts.linked && { domainVerified: facts.domainVerified }),
        }
      : {},
  account: ({ decision }) => (decision ? { decision: decision.kind } : {}),
  role: ({ role }, { defaultRoleId }) => ({ defaultRoleId, ...(role && { roleId: role.id, roleName: role.name }) }),
  mfa: ({ mfa }, { trustsIdpMfa }) =>
    mfa
      ? {
          trusted: trustsIdpMfa,
          lookedFor: [...mfa.lookedFor],
          seen: Object.fromEntries(Object.entries(mfa.seen).map(([name, value]) => [name, valueOf(value)])),
        }
      : {},
};

type Noted = Pick<TraceStepRecord, 'outcome' | 'code'>;
const noted = (outcome: StepOutcome, code: StepCode | null = null): Noted => ({ outcome, code });

/** The outcome of a step that did not fail. */
const PASSED: Partial<Record<TraceStep, (evidence: Evidence, provider: TracedProvider) => Noted>> = {
  account: ({ decision }) => (decision?.kind === 'park' ? noted('noted', 'proof_required') : noted('ok')),
  role: ({ decision, role }) => noted(decision?.kind === 'provision' || role ? 'ok' : 'skipped'),
  mfa: ({ mfa }, { trustsIdpMfa }) => {
    if (!mfa) return noted('skipped');
    if (!trustsIdpMfa) return noted('noted', 'mfa_not_trusted');
    return mfa.proven ? noted('ok', 'mfa_proven') : noted('noted', 'mfa_not_proven');
  },
};

const step = (name: TraceStep, { outcome, code }: Noted, detail = '', facts: Facts = {}): TraceStepRecord => ({
  step: name,
  outcome,
  code,
  detail: cut(detail, MAX_DETAIL),
  facts,
});

const verdictOutcome = (verdict: Verdict): StepOutcome =>
  /refuse/.test(verdict) ? 'failed' : /parked|proof|told/.test(verdict) ? 'noted' : 'ok';

/**
 * The steps of a sign-in that has ended, from what it saw and decided: those before the failure passed, those behind it
 * were not reached. A return that belongs to no sign-in failed at its first step.
 */
export function traceOf(ending: Ending): TraceRecord {
  const { verdict, code, cause, provider, evidence } = ending;
  const [failedStep, failedCode] = placeOf(ending) ?? [];
  const end = failedStep ? TRACE_STEPS.indexOf(failedStep) : TRACE_STEPS.length;
  const detail = cause instanceof StepFailure ? cause.message : '';
  const reached = (name: TraceStep): TraceStepRecord => {
    if (!provider) return step(name, noted(name === 'start' ? 'ok' : 'skipped'));
    return step(name, PASSED[name]?.(evidence, provider) ?? noted('ok'), '', FACTS[name]?.(evidence, provider));
  };
  const failed = (name: TraceStep): TraceStepRecord =>
    step(name, noted('failed', failedCode), detail, (provider && FACTS[name]?.(evidence, provider)) ?? {});
  const steps = TRACE_STEPS.slice(0, -1).map((name, at) => {
    if (at === end) return failed(name);
    if (verdict === 'not_told' && name === 'account') return step(name, noted('skipped', 'not_told'));
    const isSeen = at < end || (name === 'mfa' && evidence.mfa !== undefined);
    return isSeen ? reached(name) : step(name, noted('skipped'));
  });
  return { verdict, code, steps: [...steps, step('verdict', noted(verdictOutcome(verdict)))] };
}
