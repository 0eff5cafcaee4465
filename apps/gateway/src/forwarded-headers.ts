import type { IncomingHttpHeaders } from 'node:http';

type Headers = Record<string, string | string[]>;
type HeaderSource = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Nothing else that a client sends reaches a service; who is calling is said by the gateway's signed identity alone.
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
];
/** Nothing else that a service answers reaches a client. */
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
  /** An agent's own token goes on to the service that knows it. */
  readonly authorization?: boolean;
  /** The traceparent, once it is the gateway's own and no longer the client's. */
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
