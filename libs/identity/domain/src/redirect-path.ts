const MAX_PATH = 500;
/** Never resolved: only its origin is compared. */
const HERE = 'https://here.invalid';

const hasOddCharacter = (text: string): boolean =>
  [...text].some((character) => character <= ' ' || character === '\\' || character === '\u007f');

/**
 * Returns the path on our own host to which the browser returns after sign-in; anything else becomes `/`. Browsers
 * treat `/\host`, `//host` and paths that normalise to either as another host, and drop tabs and line feeds.
 */
export function redirectPath(wanted: unknown): string {
  if (
    typeof wanted !== 'string' ||
    !wanted.startsWith('/') ||
    wanted.length > MAX_PATH ||
    hasOddCharacter(wanted) ||
    !URL.canParse(wanted, HERE)
  )
    return '/';
  const url = new URL(wanted, HERE);
  const path = `${url.pathname}${url.search}`;
  return url.origin === HERE && !path.startsWith('//') && path.length <= MAX_PATH ? path : '/';
}
