import {
  Choice,
  defineEvent,
  Instant,
  JsonObject,
  Nested,
  NestedList,
  PageQuery,
  Text,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import {
  LINK_ERRORS,
  type LinkError,
  LOGIN_ERRORS,
  type LoginError,
  OWNER_SCOPES,
  type OwnerScope,
  SSO_PROTOCOLS,
  type SsoProtocol,
} from './sso-login.dto.ts';
import { Pagination } from './users.dto.ts';

export const ATTEMPT_KINDS = ['sign_in', 'link', 'test'] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

export const ATTEMPT_RESULTS = ['success', 'parked', 'refused'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** The errors with which a sign-in or a linking through a provider ends. */
export const ATTEMPT_CODES = [...new Set([...LOGIN_ERRORS, ...LINK_ERRORS])];
export type AttemptCode = LoginError | LinkError;

/** The steps of a sign-in through a provider, in their order. */
export const TRACE_STEPS = [
  'start',
  'callback',
  'token',
  'signature',
  'claims',
  'mapping',
  'domain',
  'account',
  'role',
  'mfa',
  'verdict',
] as const;
export type TraceStep = (typeof TRACE_STEPS)[number];

export const STEP_OUTCOMES = ['ok', 'failed', 'noted', 'skipped'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

export const VERDICTS = [
  'would_sign_in',
  'would_link',
  'would_ask_for_proof',
  'would_provision',
  'would_refuse',
  'not_told',
  'signed_in',
  'linked',
  'parked',
  'provisioned',
  'refused',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a step failed, or what it noted: finer than the error that the person sees. */
export const STEP_CODES = [
  'endpoint_refused',
  'state_unknown',
  'attempt_expired',
  'cookie_mismatch',
  'provider_changed',
  'provider_error',
  'issuer_mismatch',
  'answer_invalid',
  'idp_unreachable',
  'idp_server_error',
  'client_rejected',
  'code_rejected',
  'token_missing',
  'keys_unreachable',
  'key_unknown',
  'signature_invalid',
  'audience_mismatch',
  'nonce_mismatch',
  'token_expired',
  'token_invalid',
  'request_mismatch',
  'assertion_encrypted',
  'userinfo_refused',
  'subject_mismatch',
  'subject_missing',
  'email_missing',
  'attribute_ambiguous',
  'email_unverified',
  'domain_not_allowed',
  'domain_not_verified',
  'owner_closed',
  'account_suspended',
  'no_membership',
  'user_not_found',
  'identity_conflict',
  'invite_required',
  'proof_required',
  'email_mismatch',
  'identity_in_use',
  'user_gone',
  'default_role_missing',
  'default_role_not_entitled',
  'mfa_proven',
  'mfa_not_trusted',
  'mfa_not_proven',
  'not_told',
  'internal_error',
] as const;
export type StepCode = (typeof STEP_CODES)[number];

const MANY = 2 ** 31 - 1;

export class TraceStepRecord {
  @Choice(TRACE_STEPS, { description: 'The name of the step' }) step!: TraceStep;
  @Choice(STEP_OUTCOMES, { description: 'Skipped steps were not reached or not required' }) outcome!: StepOutcome;
  @Choice(STEP_CODES, { nullable: true, description: 'Why it failed, or what it noted' }) code!: StepCode | null;
  @Text({ max: 500, description: 'The details from the provider or the check; may be empty' })
  detail!: string;
  @JsonObject({
    description:
      'What the step saw. Of claims it has every name, the values of those that are mapped, and of others the type and length',
  })
  facts!: Record<string, unknown>;
}

export class TraceRecord {
  @Choice(VERDICTS, { description: 'The outcome for the person, or what it would have been' }) verdict!: Verdict;
  @Choice(ATTEMPT_CODES, { nullable: true, description: 'The error on the sign-in page' }) code!: AttemptCode | null;
  /** The steps in their order. */
  @NestedList(() => TraceStepRecord, { maxItems: 30 }) steps!: TraceStepRecord[];
}

/** A sign-in, a linking or a test through an identity provider that has ended. */
export class AttemptRecord {
  @Uuid({ description: 'The reference that the sign-in page shows' }) id!: string;
  @Uuid({ nullable: true, description: 'Null for a return that belongs to no sign-in' }) providerId!: string | null;
  @Text({ max: 255, nullable: true }) providerName!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Choice(ATTEMPT_KINDS, { description: 'The purpose of the sign-in' }) kind!: AttemptKind;
  @Choice(SSO_PROTOCOLS, { description: 'The protocol of the provider' }) protocol!: SsoProtocol;
  @Choice(ATTEMPT_RESULTS, { description: 'The result' }) result!: AttemptResult;
  @Choice(ATTEMPT_CODES, { nullable: true, description: 'The error on the sign-in page' }) code!: AttemptCode | null;
  @Text({ max: 320, nullable: true, description: 'As sent by the provider' }) email!: string | null;
  @Uuid({ nullable: true }) userId!: string | null;
  @Text({ max: 64, nullable: true, description: "The client's address" }) ip!: string | null;
  @Text({ max: 500, nullable: true, description: 'The browser, by its user agent' }) userAgent!: string | null;
  @Text({ max: 64, nullable: true, description: 'The request id under which it ended, as in the log' }) requestId!:
    string | null;
  @Whole({ min: 1, max: MANY, nullable: true, description: "The generation of the provider's configuration" })
  configVersion!: number | null;
  @Instant() createdAt!: string;
}

/** An attempt with the steps that it took. */
export class TracedAttemptRecord extends AttemptRecord {
  /** What each step saw and decided. */
  @Nested(() => TraceRecord) trace!: TraceRecord;
}

export class AttemptResponse {
  @Nested(() => TracedAttemptRecord) data!: TracedAttemptRecord;
}

export class AttemptPageResponse {
  @NestedList(() => AttemptRecord, { maxItems: 100 }) data!: AttemptRecord[];
  @Nested(() => Pagination) pagination!: Pagination;
}

/** A test sign-in that has begun. */
export class TestSignInStartedRecord {
  @Uuid({ description: 'The id of the test, and of the attempt in which it ends' }) id!: string;
  @Text({ max: 8000, description: "The provider's address, for the browser that began the test" }) url!: string;
  @Instant({ description: 'When the test expires' }) expiresAt!: string;
}

export class TestSignInStartedResponse {
  @Nested(() => TestSignInStartedRecord) data!: TestSignInStartedRecord;
}

export const TEST_STATES = ['waiting', 'done', 'expired'] as const;
export type TestState = (typeof TEST_STATES)[number];

export class TestSignInRecord {
  @Uuid() id!: string;
  @Choice(TEST_STATES, { description: '`waiting` until the browser returns from the provider' }) status!: TestState;
  @Nested(() => TracedAttemptRecord, { nullable: true, description: 'The result; null until it is done' })
  attempt!: TracedAttemptRecord | null;
}

export class TestSignInResponse {
  @Nested(() => TestSignInRecord) data!: TestSignInRecord;
}

export class ListAttemptsQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Choice(OWNER_SCOPES, { optional: true, description: "partner: at the partner's own providers" }) scope?: OwnerScope;
  @Uuid({ optional: true }) providerId?: string;
  @Choice(ATTEMPT_KINDS, { optional: true, description: 'The purpose of the sign-in' }) kind?: AttemptKind;
  @Choice(ATTEMPT_RESULTS, { optional: true, description: 'The result' }) result?: AttemptResult;
  @Choice(ATTEMPT_CODES, { optional: true, description: 'The error on the sign-in page' }) code?: AttemptCode;
  @Text({ optional: true, max: 320, trim: true, description: 'The whole address' }) email?: string;
  @Text({ optional: true, max: 64, trim: true, description: "The client's address" }) ip?: string;
  @Instant({ optional: true, description: 'At or after this instant' }) from?: string;
  @Instant({ optional: true, description: 'Before this instant' }) to?: string;
}

/** A refused sign-in at a provider, without the person. */
export class SsoSignInRefusal {
  @Uuid() attemptId!: string;
  @Uuid() providerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid() partnerId!: string;
  @Choice(ATTEMPT_CODES) code!: AttemptCode;
}
export const SsoSignInRefused = defineEvent('identity.sso_sign_in.refused.v1', SsoSignInRefusal);
