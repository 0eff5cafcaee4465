import { describe, expect, it } from '@jest/globals';
import { type CodesOf, createGatehouse, type Gatehouse, type ProblemCode, type ProblemsOf } from './index.ts';

describe('a program that handles every error code of an operation', () => {
  it('compiles without a cast, and reads the members of a code', async () => {
    const { error } = await answering({ status: 409, code: 'not_pending', currentStatus: 'denied' }).POST(
      '/pam/elevation-requests/{id}/respond',
      { params: { path: { id: 'x' } }, body: { decision: 'approve' } },
    );
    expect(error && afterRespond(error)).toBe('it is denied already');
  });

  it('compiles for an operation without a body', async () => {
    expect(await whoAmI(answering({ status: 401, code: 'session_revoked' }))).toBe('sign in');
  });

  it('compiles as a table of codes', async () => {
    const { error } = await answering({ status: 401, code: 'invalid_credentials' }).POST('/auth/login', {
      body: { email: 'a@example.test', password: 'x' },
    });
    expect(error && AFTER_SIGN_IN[error.code]).toBe('type them again');
  });
});

/** Answers every request with one problem. */
const answering = (problem: { status: number; code: ProblemCode; currentStatus?: string }): Gatehouse =>
  createGatehouse({
    baseUrl: 'http://gatehouse.test',
    retries: 0,
    fetch: () =>
      Promise.resolve(Response.json({ requestId: 'r', detail: 'd', ...problem }, { status: problem.status })),
  });

/** Compiles only if every code of the operation has a case. */
const nothingLeft = (left: never): string => `unexpected: ${String(left)}`;

/** @returns what to do, for every problem with which an answer to an elevation request may end */
// eslint-disable-next-line complexity -- a case for each code is what is tested
function afterRespond(problem: ProblemsOf<'/pam/elevation-requests/{id}/respond', 'post'>): string {
  const { code } = problem;
  switch (code) {
    case 'not_pending':
      return `it is ${problem.currentStatus ?? 'closed'} already`;
    case 'tool_execution_timed_out':
    case 'elevation_request_not_found':
    case 'route_not_found':
    case 'organization_frozen':
    case 'pam_frozen':
    case 'self_approval_denied':
    case 'separation_of_duties':
    case 'already_voted':
      return 'leave it';
    case 'ticket_required':
    case 'ticket_invalid':
      return 'give another ticket';
    case 'permission_denied':
    case 'site_access_denied':
    case 'partner_inactive':
      return 'ask an administrator';
    case 'mfa_required':
    case 'not_authenticated':
    case 'session_revoked':
    case 'token_expired':
    case 'token_invalid':
      return 'sign in';
    case 'validation_failed':
    case 'payload_too_large':
    case 'unsupported_media_type':
    case 'idempotency_key_reused':
      return 'correct the program';
    case 'conflict':
    case 'rate_limited':
    case 'unavailable':
    case 'internal_error':
      return 'try again';
    default:
      return nothingLeft(code);
  }
}

// eslint-disable-next-line complexity -- a case for each code is what is tested
async function whoAmI(gatehouse: Gatehouse): Promise<string> {
  const { data, error } = await gatehouse.GET('/auth/me');
  if (data) return data.user.email;
  const { code } = error;
  switch (code) {
    case 'not_authenticated':
    case 'session_revoked':
    case 'token_expired':
    case 'token_invalid':
      return 'sign in';
    case 'validation_failed':
      return error.issues?.[0]?.message ?? 'correct the program';
    case 'rate_limited':
    case 'unavailable':
    case 'internal_error':
      return 'try again';
    default:
      return nothingLeft(code);
  }
}

const AFTER_SIGN_IN: Readonly<Record<CodesOf<'/auth/login', 'post'>, string>> = {
  invalid_credentials: 'type them again',
  origin_denied: 'sign in from a page of the product',
  token_invalid: 'leave the token of the visit out',
  rate_limited: 'wait',
  validation_failed: 'correct the program',
  payload_too_large: 'correct the program',
  unsupported_media_type: 'correct the program',
  unavailable: 'try again',
  internal_error: 'try again',
};
