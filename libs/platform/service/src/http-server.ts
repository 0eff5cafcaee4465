import { DEFAULT_BODY_LIMIT_BYTES, invalid } from '@gatehouse/contracts-core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { EarlyResponses } from './early-responses.ts';
import { protectiveHeaders } from './protective-headers.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** How often node looks for connections that are over these limits; its own default of 30 s would double them. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the gateway keeps its idle connections, so that the service never closes one that is just being used. */
const KEEP_ALIVE_MS = 75_000;

/** The id under which the logs, the audit entry and the answer of one request are found. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The gateway's word for a caller names each organisation that the caller may reach: some thousands must fit. */
const INTERNAL_HEADER_BYTES = 512 * 1024;

export interface HttpOptions {
  /** Of one request; the public door allows much less than the services behind it. */
  readonly maxHeaderBytes?: number;
  /** The product is reached by https alone. */
  readonly production: boolean;
}

/** Fastify with the limits that every service has. */
export function createHttpAdapter({ maxHeaderBytes = INTERNAL_HEADER_BYTES, production }: HttpOptions): FastifyAdapter {
  const early = new EarlyResponses(protectiveHeaders(production));
  const adapter = new FastifyAdapter({
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    genReqId: requestIdOf,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would answer a request without Host by itself, and with nothing.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    clientErrorHandler: early.toClientError,
    frameworkErrors: early.toRouterError,
    logger: false,
  });
  closeUnusedOnStop(adapter);
  leaveNothingToNode(adapter, early);
  return adapter;
}

/** Node answers these by itself otherwise, or drops the connection without a word. */
function leaveNothingToNode(adapter: FastifyAdapter, early: EarlyResponses): void {
  const instance = adapter.getInstance();
  const { server } = instance;
  server.on('connect', early.toConnect);
  // RFC 9110 10.1.1: an expectation that a server does not know may be ignored.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  instance.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (httpVersion !== '1.1' || headers.host !== undefined) return done();
    reply.hijack();
    early.toRouterError(invalid('Host', 'is required'), request, reply);
  });
}

/**
 * Browsers open connections ahead of need; one that never carried a request counts as busy to node and would hold a
 * stop up until its time is over.
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
