import {
  CLIENT_REQUEST_ID_HEADER,
  clientRequestIdFrom,
  DEFAULT_BODY_LIMIT_BYTES,
  invalid,
} from '@gatehouse/contracts-core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { EarlyResponses } from './early-responses.ts';

/** One year, in seconds. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Headers that protect the browser, sent with every answer (OWASP ASVS 5.0, 3.4). */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** @param production whether the product is reached by https only */
export const protectiveHeaders = (production: boolean): Readonly<Record<string, string>> => ({
  ...ALWAYS,
  ...(production && { 'strict-transport-security': HSTS }),
});

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often node looks for connections that exceed these limits; its default of 30 s would double them. */
const TIMEOUT_CHECK_MS = 1_000;
/** With the time until the next look, a slow request is over after 15 s. */
const REQUEST_TIMEOUT_MS = 15_000 - TIMEOUT_CHECK_MS;
/**
 * Longer than the gateway keeps idle connections, so that the service never closes one that the gateway is about to
 * use.
 */
const KEEP_ALIVE_MS = 75_000;

/** The request id, which links the logs, the audit entry and the answer of one request; the gateway made it. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Makes a new id for a request from outside, and keeps the client's own under a name that is never taken for ours. */
function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = clientRequestIdFrom(headers['x-request-id']);
  if (given === null) delete headers[CLIENT_REQUEST_ID_HEADER];
  else headers[CLIENT_REQUEST_ID_HEADER] = given;
  return randomUUID();
}

/** The internal identity lists each organisation that the caller may reach: several thousand must fit. */
const INTERNAL_HEADER_BYTES = 512 * 1024;

export interface HttpOptions {
  /** Limit for the headers of one request; the gateway allows much less than the services behind it. */
  readonly maxHeaderBytes?: number;
  readonly isPublicDoor?: boolean;
  /** In production the product is reached by https only. */
  readonly production: boolean;
}

/** Creates the Fastify adapter with the limits that every service has. */
export function createHttpAdapter({
  maxHeaderBytes = INTERNAL_HEADER_BYTES,
  isPublicDoor = false,
  production,
}: HttpOptions): FastifyAdapter {
  const early = new EarlyResponses(protectiveHeaders(production));
  const adapter = new FastifyAdapter({
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    genReqId: isPublicDoor ? newRequestId : requestIdOf,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // By default node answers a request without Host itself, with an empty body.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // The router passes over the asterisk form (RFC 9112 3.2.4), and no hook would run.
    rewriteUrl: ({ url = '/' }) => (url === '*' ? '/*' : url),
    clientErrorHandler: early.toClientError,
    frameworkErrors: early.toRouterError,
    logger: false,
  });
  closeUnusedOnStop(adapter);
  leaveNothingToNode(adapter, early);
  return adapter;
}

/** Handles the requests that node would otherwise answer itself or drop without an answer. */
function leaveNothingToNode(adapter: FastifyAdapter, early: EarlyResponses): void {
  const instance = adapter.getInstance();
  const { server } = instance;
  server.on('connect', early.toConnect);
  // RFC 9110 10.1.1: a server may ignore an expectation that it does not know.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  instance.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, rawHeaders } = request.raw;
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
    if (hosts.length === 1 || (hosts.length === 0 && httpVersion !== '1.1')) return done();
    reply.hijack();
    early.toRouterError(invalid('Host', 'must be given once'), request, reply);
  });
}

/**
 * Closes connections without a request when the service stops. Browsers open connections in advance; node counts one
 * that never carried a request as busy, and would delay the stop until the timeout.
 */
function closeUnusedOnStop(adapter: FastifyAdapter): void {
  const instance = adapter.getInstance();
  const unused = new Set<Socket>();
  instance.server.on('connection', (socket: Socket) => unused.add(socket.once('close', () => unused.delete(socket))));
  instance.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  instance.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    done();
  });
}
