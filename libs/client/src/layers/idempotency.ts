import type { Layer } from './layer.ts';

const HEADER = 'idempotency-key';
const METHODS = ['POST', 'PATCH'];

/**
 * Gives each change of a signed-in caller a key, so that it can be sent again without a second effect. A key that the
 * program has set stays.
 */
export const idempotency: Layer = (next) => (request) => {
  const takesKey = METHODS.includes(request.method) && request.headers.has('authorization');
  if (takesKey && !request.headers.has(HEADER)) request.headers.set(HEADER, crypto.randomUUID());
  return next(request);
};
