import {
  CLIENT_REQUEST_ID_HEADER,
  clientRequestIdFrom,
  ERROR_STATUS,
  type ErrorCode,
  type Problem,
  type ProblemMembers,
  ProblemError,
} from '@gatehouse/contracts-core';
import { isDataException, isIntegrityViolation, isUnavailable } from '@gatehouse/database';
import { KeyMissing } from '@gatehouse/crypto';
import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

const titleOf = (code: ErrorCode): string =>
  code.replaceAll(/[_-]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());

/** The ids that link logs, audit entry and answer of a request: ours, and the client's own if it sent one. */
export interface RequestIds {
  readonly requestId: string;
  readonly clientRequestId?: string;
}

export function requestIdsOf({ id, headers }: Pick<FastifyRequest, 'id' | 'headers'>): RequestIds {
  const clientRequestId = clientRequestIdFrom(headers[CLIENT_REQUEST_ID_HEADER]);
  return { requestId: String(id), ...(clientRequestId !== null && { clientRequestId }) };
}

export function problemOf({ code, message, status, members }: ProblemError, ids: RequestIds): Problem {
  const { retryAfterSeconds: _, ...own } = members;
  return {
    type: `urn:gatehouse:problem:${code}`,
    title: titleOf(code),
    status,
    detail: message,
    code,
    ...ids,
    ...own,
  };
}

/** Answers with a problem document, and with `Retry-After` if the problem states it. */
export function sendProblem(reply: FastifyReply, problem: ProblemError): void {
  const { retryAfterSeconds } = problem.members;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  void reply
    .status(problem.status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .send(JSON.stringify(problemOf(problem, requestIdsOf(reply.request))));
}

interface FastifyFault extends Error {
  code?: string;
  statusCode?: number;
}

/** Errors of the HTTP layer by their code or status, with the problem code and detail that the client receives. */
const TRANSPORT: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this route takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'This route takes application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'validation_failed',
    'The body does not have the length that its header states.',
  ],
  FST_ERR_BAD_URL: ['validation_failed', 'The address is not valid.'],
  FST_ERR_MAX_PARAM_LENGTH: ['validation_failed', 'A part of the address is too long.'],
  '404': ['route_not_found', 'There is nothing at this address.'],
  '405': ['route_not_found', 'There is nothing at this address.'],
  '413': ['payload_too_large', 'The body is larger than this route takes.'],
  '415': ['unsupported_media_type', 'This route takes application/json.'],
  '400': ['validation_failed', 'The request could not be read.'],
  '408': ['validation_failed', 'The request did not arrive in time.'],
  '414': ['validation_failed', 'The address is too long.'],
};

function transportProblem(error: unknown): ProblemError | null {
  const { code, statusCode } = error as FastifyFault;
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  const known = TRANSPORT[code ?? ''] ?? TRANSPORT[String(status)];
  if (!known) return null;
  const members: ProblemMembers = known[0] === 'validation_failed' ? { issues: [{ path: '', message: known[1] }] } : {};
  return new ProblemError(known[0], known[1], members);
}

/** Maps any thrown error to the problem that the client receives. An unexpected error reveals no internal details. */
export function problemErrorOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isUnavailable(error))
    return new ProblemError('unavailable', 'The service is not available at the moment; try again.', {
      retryAfterSeconds: 2,
    });
  if (error instanceof KeyMissing)
    return new ProblemError('unavailable', 'A stored secret cannot be decrypted; the operator must restore its key.', {
      retryAfterSeconds: 60,
    });
  if (isIntegrityViolation(error)) return new ProblemError('conflict', 'The change conflicts with the stored data.');
  if (isDataException(error))
    return new ProblemError('validation_failed', 'The request holds a value that cannot be stored.', { issues: [] });
  return (
    transportProblem(error) ??
    new ProblemError('internal_error', 'An internal error occurred; quote the request ID to the operator.')
  );
}

export const isServerFault = (problem: ProblemError): boolean => ERROR_STATUS[problem.code] >= 500;
