import { Refusal } from '@gatehouse/contracts-core';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, problemOf } from './problem.ts';

const TIMEOUT_STATUS = 408;

const unreadable = (text: string): Refusal => new Refusal('validation_failed', text, { issues: [{ path: '', message: text }] });

function refusalFor(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('header_fields_too_large', 'The headers are larger than 16 KB.');
  return unreadable(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'The request is not well-formed HTTP.');
}

/** Answers what never became a request: malformed, too large or too slow. The connection ends, for nobody knows where the next request on it would begin. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = refusalFor(error.code);
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TIMEOUT_STATUS : refusal.status;
  const requestId = randomUUID();
  const body = JSON.stringify({ ...problemOf(refusal, requestId), status });
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${PROBLEM_CONTENT_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`, `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff', 'Cache-Control: no-store', 'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
