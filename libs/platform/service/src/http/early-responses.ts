import { ProblemError } from '@gatehouse/contracts-core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE, problemOf, problemErrorOf, requestIdsOf } from './problem.ts';

const TIMEOUT_STATUS = 408;

type Headers = Readonly<Record<string, string>>;

const unreadable = (text: string): ProblemError =>
  new ProblemError('validation_failed', text, { issues: [{ path: '', message: text }] });

function problemFor(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ProblemError('header_fields_too_large', 'The headers are larger than 16 KB.');
  return unreadable(
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'The request did not arrive in time.'
      : 'The request is not well-formed HTTP.',
  );
}

/**
 * Answers with a problem when a request fails before any route, filter or hook runs. The answers carry the same headers
 * as all others and do not reveal the HTTP server.
 */
export class EarlyResponses {
  constructor(private readonly headers: Headers) {}

  /**
   * For input that node could not parse into a request: malformed, too large or too slow. The connection is closed,
   * because the start of its next request is unknown.
   */
  readonly toClientError = (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const problem = problemFor(error.code);
    this.end(socket, problem, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TIMEOUT_STATUS : problem.status);
  };

  /** For CONNECT, which requests a tunnel. */
  readonly toConnect = (_: unknown, socket: Duplex): void => {
    const problem = new ProblemError('route_not_found', 'There is nothing at this address.');
    this.end(socket, problem, problem.status);
  };

  /** For requests that the router rejects: an invalid percent-escape or a parameter that is too long. */
  readonly toRouterError = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemErrorOf(error);
    const ids = requestIdsOf(request);
    const body = JSON.stringify(problemOf(problem, ids));
    reply.raw.writeHead(problem.status, this.headersOf(ids.requestId, body)).end(body);
  };

  private end(socket: Duplex, problem: ProblemError, status: number): void {
    const requestId = randomUUID();
    const body = JSON.stringify({ ...problemOf(problem, { requestId }), status });
    const headers = Object.entries({ ...this.headersOf(requestId, body), connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers].join('\r\n');
    socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
  }

  private headersOf(requestId: string, body: string): Headers {
    return {
      ...this.headers,
      'content-type': PROBLEM_CONTENT_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
    };
  }
}
