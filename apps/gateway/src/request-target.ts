import { invalid, ProblemError } from '@gatehouse/contracts-core';

const MAX_TARGET = 8_000;
/** Ids and lower-case words are all that our addresses hold: no escapes, so no two spellings of one address. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_~.:@-]+)*\/?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Lets through only targets that every service reads alike: whatever else a parser on the way might unfold
 * (escaped dots and slashes, `//`, `;`, backslashes, absolute form) is refused before routing means anything.
 * @param target the request target as it came over the wire
 * @throws ProblemError route_not_found or validation_failed
 */
export function requirePlainTarget(target: string): void {
  if (!target.startsWith('/')) throw invalid('', 'the request target must be a path');
  if (target.length > MAX_TARGET) throw invalid('', `the address must not be longer than ${MAX_TARGET} characters`);
  if (!VISIBLE_ASCII.test(target)) throw invalid('', 'the address must be plain ASCII');
  const [path = ''] = target.split('?', 1);
  if (!PLAIN_PATH.test(path) || DOT_SEGMENT.test(path))
    throw new ProblemError('route_not_found', 'There is nothing at this address.');
}
