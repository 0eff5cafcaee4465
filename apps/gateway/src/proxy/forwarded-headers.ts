import type { IncomingHttpHeaders } from 'node:http';

type Headers = Record<string, string | string[]>;
type HeaderSource = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The gateway forwards only these headers of a client. The caller's identity is only in the gateway's signed internal
 * identity.
 */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'origin',
  'user-agent',
  'x-agent-protocol',
];
/** The gateway forwards only these headers of a service's response. */
const RESPONSE_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'vary',
  'x-accel-buffering',
];

function pick(source: HeaderSource, names: readonly string[]): Headers {
  const picked: Headers = {};
  for (const name of names) {
    const value = source[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

interface PassedOn {
  readonly cookies?: boolean;
  /** Forwards a token to the service that verifies it. */
  readonly authorization?: boolean;
  /** Forwards the traceparent, if it is the gateway's own and not the client's. */
  readonly trace?: boolean;
}

export function requestHeaders(headers: IncomingHttpHeaders, { cookies, authorization, trace }: PassedOn): Headers {
  const passed = pick(headers, REQUEST_HEADERS);
  if (cookies && headers.cookie !== undefined) passed['cookie'] = headers.cookie;
  if (authorization && headers.authorization !== undefined) passed['authorization'] = headers.authorization;
  if (trace && headers.traceparent !== undefined) passed['traceparent'] = headers.traceparent;
  return passed;
}

export function responseHeaders(headers: HeaderSource, { cookies }: Pick<PassedOn, 'cookies'>): Headers {
  const passed = pick(headers, RESPONSE_HEADERS);
  if (cookies && headers['set-cookie'] !== undefined) passed['set-cookie'] = headers['set-cookie'];
  return passed;
}
