import { invalid, ProblemError } from '@gatehouse/contracts-core';

const MAX_TARGET = 8_000;
/** The product's addresses consist of ids and lower-case words without escapes, so each address has one spelling. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_~.:@-]+)*\/?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Accepts only targets that every parser reads alike. Escaped dots and slashes, `//`, `;`, backslashes and the
 * absolute form are rejected before routing.
 * @param target the request target as received
 */
export function requirePlainTarget(target: string): void {
  if (!target.startsWith('/')) throw invalid('', 'the request target must be a path');
  if (target.length > MAX_TARGET) throw invalid('', `the address must not be longer than ${MAX_TARGET} characters`);
  if (!VISIBLE_ASCII.test(target)) throw invalid('', 'the address must be plain ASCII');
  const [path = ''] = target.split('?', 1);
  if (!PLAIN_PATH.test(path) || DOT_SEGMENT.test(path))
    throw new ProblemError('route_not_found', 'There is nothing at this address.');
}
