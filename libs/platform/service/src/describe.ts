import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '@gatehouse/contracts-core';

const MEANING: Readonly<Record<number, string>> = {
  400: 'Invalid',
  401: 'Not authenticated',
  403: 'Refused',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Wrong media type',
  422: 'Cannot be done',
  429: 'Too many requests',
  503: 'Unavailable',
};

/** Documents the problems of a route beyond those that every route can answer (400, 401, 403, 429, 503). */
export function ApiProblems(...codes: ErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return applyDecorators(
    ...[...byStatus].map(([status, known]) =>
      ApiResponse({
        status,
        description: `${MEANING[status] ?? 'Refused'}: ${known.map((code) => `\`${code}\``).join(', ')}`,
      }),
    ),
  );
}

export const IGNORES_UNKNOWN = 'gatehouse:ignores-unknown';
/** The same exception in the OpenAPI contract. */
export const IGNORES_UNKNOWN_EXTENSION = 'x-ignores-unknown';

/** The clients whose requests may carry unknown members, each with the reason. */
export const SENDERS = {
  agents: 'newer agents meet older servers',
  protocols: "other people's protocols add members of their own",
  browsers: 'providers and mail clients add parameters to the addresses that a browser is sent to',
} as const;

/** Exempts a route from the rule that unknown members and parameters are rejected. */
export const IgnoresUnknown = (sender: keyof typeof SENDERS): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(IGNORES_UNKNOWN, sender), ApiExtension(IGNORES_UNKNOWN_EXTENSION, SENDERS[sender]));
