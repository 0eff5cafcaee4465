import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '@gatehouse/contracts-core';

/** Holds the codes of {@link ApiProblems} until the contract is written. */
export const PROBLEMS_EXTENSION = 'x-problems';

/**
 * The problem codes of a route's own. Those that follow from its access, its body and the limits of every caller are
 * added to the contract without being named (`tools/openapi`).
 */
export const ApiProblems = (...codes: ErrorCode[]): MethodDecorator => ApiExtension(PROBLEMS_EXTENSION, codes);

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
