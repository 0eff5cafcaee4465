import { protectiveHeaders } from '@gatehouse/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, if-match, last-event-id, x-api-key, x-request-id';
const EXPOSED = 'etag, retry-after, x-request-id';
const PREFLIGHT_SECONDS = '600';

interface Site {
  /** Scheme, host and port of the product's own pages, the only origin that may read responses across origins. */
  readonly origin: string;
  readonly production: boolean;
}

/**
 * Adds the headers that protect a browser to every response (OWASP ASVS 5.0, 3.4), and answers the CORS preflights of
 * the product's own pages.
 */
export function protectResponses(server: FastifyInstance, { origin, production }: Site): void {
  const headers = protectiveHeaders(production);
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers).header('x-request-id', String(request.id));
    if (request.headers.origin !== undefined && request.headers.origin === origin)
      return admitOrigin(origin, request, reply);
  });
  server.addHook('onSend', (_, reply, payload, done) => {
    // RFC 9110 11.6.1: a 401 names the authentication scheme that it requires.
    if (reply.statusCode === 401) void reply.header('www-authenticate', 'Bearer');
    // Also without an Origin: what a cache keeps of such a response must not answer our own pages.
    void reply.header('vary', [reply.getHeader('vary'), 'origin'].filter(Boolean).join(', '));
    done(null, payload);
  });
}

function admitOrigin(origin: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  });
  if (request.method !== 'OPTIONS') return undefined;
  return reply
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': ALLOWED_REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .status(204)
    .send();
}
