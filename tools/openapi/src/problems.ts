import { ERROR_STATUS, type ErrorCode } from '@gatehouse/contracts-core';
import { createHash } from 'node:crypto';
import { type Reference, type Response, type Route, schemaRef } from './contract.ts';

const PROBLEM_TYPE = 'application/problem+json';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible in the present state',
  410: 'No longer possible',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Not JSON in UTF-8',
  422: 'Cannot be done',
  429: 'Too many requests',
  500: 'A fault on our side',
  502: 'Another server did not answer as it should',
  503: 'Not available at the moment',
};

/** Answers that are the same for many operations: the name of the component, and its codes. */
const SHARED: readonly (readonly [string, readonly ErrorCode[]])[] = [
  ['InvalidRequest', ['validation_failed']],
  ['NotSignedIn', ['not_authenticated', 'session_revoked', 'token_expired', 'token_invalid']],
  ['AgentNotAuthenticated', ['not_authenticated', 'token_invalid']],
  ['NoVisit', ['not_authenticated', 'setup_link_invalid', 'token_invalid']],
  ['PayloadTooLarge', ['payload_too_large']],
  ['UnsupportedMediaType', ['unsupported_media_type']],
  ['IdempotencyKeyReused', ['idempotency_key_reused']],
  ['RateLimited', ['rate_limited']],
  ['InternalError', ['internal_error']],
  ['Unavailable', ['unavailable']],
];

const EVERYWHERE: ErrorCode[] = ['validation_failed', 'internal_error', 'unavailable'];
const USERS: ErrorCode[] = ['not_authenticated', 'token_expired', 'token_invalid', 'session_revoked', 'rate_limited'];
const OTHERS: Readonly<Record<string, ErrorCode[]>> = {
  agent: ['not_authenticated', 'token_invalid', 'device_inactive', 'rate_limited'],
  setup: ['not_authenticated', 'token_invalid', 'setup_link_invalid', 'rate_limited'],
};

/** Requests that may repeat under an `Idempotency-Key`. */
export const takesIdempotencyKey = ({ method, operation: { 'x-access': access } }: Route): boolean =>
  (access.kind === 'setup' || (access.kind === 'user' && access.idempotent !== false)) &&
  (method === 'POST' || method === 'PATCH');

/** The codes that follow from who may call. */
function accessCodes({ path, operation: { 'x-access': access } }: Route): ErrorCode[] {
  // The gateway refuses the token of a visit everywhere but at the visitor's own routes (SSO-167).
  if (access.kind === 'public')
    return path.includes('/.well-known/') ? ['token_invalid'] : ['rate_limited', 'token_invalid'];
  if (access.kind !== 'user') return OTHERS[access.kind] ?? [];
  return [
    ...USERS,
    ...(access.evenIfPartnerInactive ? [] : (['partner_inactive'] as const)),
    ...(access.levels ? (['scope_denied'] as const) : []),
    ...(access.permission || access.sessionOnly ? (['permission_denied'] as const) : []),
    ...(access.mfa ? (['mfa_required'] as const) : []),
  ];
}

/** The codes that follow from the method: changes collide, bodies are too large or of another type. */
function methodCodes(route: Route): ErrorCode[] {
  if (route.method === 'GET') return [];
  return [
    'payload_too_large',
    'unsupported_media_type',
    ...(['user', 'agent', 'setup'].includes(route.operation['x-access'].kind) ? (['conflict'] as const) : []),
    ...(route.method === 'PATCH' ? (['no_updates_provided'] as const) : []),
    ...(takesIdempotencyKey(route) ? (['idempotency_key_reused'] as const) : []),
  ];
}

/** An address that no id can have leads nowhere. */
const addressCodes = ({ path }: Route): ErrorCode[] => (path.includes('{') ? ['route_not_found'] : []);

/** Every code that an operation can answer with, by status. */
function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const own = route.operation['x-problems'] ?? [];
  const codes = new Set([...EVERYWHERE, ...accessCodes(route), ...addressCodes(route), ...methodCodes(route), ...own]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

const isSame = (one: readonly ErrorCode[], other: readonly ErrorCode[]): boolean => one.join() === other.join();
const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });

function headersOf(status: number, codes: readonly ErrorCode[]): Record<string, Reference> {
  return {
    'X-Request-Id': header('RequestId'),
    ...(status === 401 && { 'WWW-Authenticate': header('Authenticate') }),
    ...((status === 429 || status === 503 || codes.includes('conflict')) && { 'Retry-After': header('RetryAfter') }),
  };
}

function problemResponse(status: number, codes: readonly ErrorCode[], meanings: ReadonlyMap<string, string>): Response {
  const lines = codes.map((code) => [`- \`${code}\``, meanings.get(code)].filter(Boolean).join(': '));
  return {
    description: `${STATUS_NAMES[status] ?? 'Refused'}.\n\n${lines.join('\n')}`,
    headers: headersOf(status, codes),
    content: {
      [PROBLEM_TYPE]: {
        schema: {
          allOf: [
            schemaRef('Problem'),
            {
              type: 'object',
              required: ['status', 'code'],
              properties: { status: { const: status }, code: { enum: [...codes] } },
            },
          ],
        },
      },
    },
  };
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'Invalid',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'Missing',
  409: 'Conflicting',
  422: 'Unprocessable',
};

/** The component of a set of codes: named for its only code, or for its status and a mark of the set. */
function componentOf(status: number, codes: readonly ErrorCode[]): string {
  const [shared] = SHARED.find(([, same]) => isSame(same, codes)) ?? [];
  if (shared) return shared;
  const [only = ''] = codes.length === 1 ? codes : [];
  if (only) return only.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const mark = createHash('sha256').update(codes.join()).digest('hex').slice(0, 6);
  return `${STATUS_WORDS[status] ?? `Refused${status}`}-${mark}`;
}

/** Documents every problem of an operation, one response for each status. @returns the components that it uses */
export function addProblems(route: Route, meanings: ReadonlyMap<string, string>): Record<string, Response> {
  const used: Record<string, Response> = {};
  for (const [status, codes] of codesByStatus(route)) {
    const response = problemResponse(status, codes, meanings);
    const name = componentOf(status, codes);
    used[name] = response;
    route.operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  delete route.operation['x-problems'];
  return used;
}
