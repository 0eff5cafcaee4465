import { API_PREFIX } from '@gatehouse/contracts-core';

/** Pages that the gateway serves itself, so that users can sign in although the console is broken. */
export const SIGN_IN_PATHS = ['/login', '/accept-invite', '/reset-password'];
const [, API_ROOT] = API_PREFIX.split('/');
/** Nothing below these addresses is a view of the console. */
const OTHER_PLACES = [`/${API_ROOT}`, '/docs', '/healthz', '/.well-known', '/console', ...SIGN_IN_PATHS];
/** A path without escapes and dots: a name with a dot is a file, and an escape could hide a dot. */
const VIEW = /^\/(?:[\w~:@-]+(?:\/[\w~:@-]+)*\/?)?$/;
const MAX_PATH = 2_000;
/** RFC 9110 12.4.2: a weight of zero means "not acceptable". */
const REFUSED = /^q=0(?:\.0{0,3})?$/i;

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** Whether the client names HTML among what it accepts: a browser that opens an address does, a program does not. */
export function acceptsHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type.toLowerCase() === 'text/html' && !parameters.some((parameter) => REFUSED.test(parameter));
  });
}

/** Whether a path can be a view of the console. */
export function isView(path: string): boolean {
  if (path.length > MAX_PATH || !VIEW.test(path)) return false;
  return !OTHER_PLACES.some((place) => isAtOrBelow(path, place));
}
