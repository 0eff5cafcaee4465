/** Parameters, headers and security schemes that operations refer to. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repetition safe: the same key with the same request within 24 hours gets the answer of the first and ' +
      'changes nothing; with another request it is refused with `idempotency_key_reused`. An answer with a secret is ' +
      'not given again: the repetition is refused with `idempotency_secret_shown` and the id of what was made. Use a ' +
      'new random value, such as a UUID, for each change.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the record that the change was made from, which is its version in quotes. When the record has ' +
      'changed since then, the answer is 412 `version_conflict`.',
    schema: { type: 'string', maxLength: 200 },
  },
  RefreshCookie: {
    name: 'gatehouse_refresh',
    in: 'cookie',
    required: false,
    description:
      'The refresh token of a session that keeps it in a cookie (`mode: cookie`); `__Secure-gatehouse_refresh` over ' +
      'https. Sent by a browser in place of `refreshToken` in the body, from a page of this product only.',
    schema: { type: 'string', maxLength: 512 },
  },
} as const;

export const HEADERS = {
  RequestId: {
    description: 'The id of the request; name it when you ask for help.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'The number of seconds after which to try again. Absent where a repetition would not help.',
    schema: { type: 'integer', minimum: 0 },
  },
  Authenticate: {
    description: 'The scheme that a credential must use (RFC 9110).',
    schema: { type: 'string', const: 'Bearer' },
  },
} as const;

export const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a signed-in person, 15 minutes long.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key for programs; it is accepted as a bearer token, too. It never satisfies a second factor.',
  },
  agentToken: {
    type: 'http',
    scheme: 'bearer',
    description: "A device's token, from its enrolment.",
  },
  setupVisit: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a visit of a set-up link, 60 minutes long.',
  },
} as const;
