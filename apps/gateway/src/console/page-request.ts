import { API_PREFIX } from '@gatehouse/contracts-core';

/** Pages that the gateway serves itself, so that users can sign in although the console is broken. */
const SIGN_IN_PATHS = ['/login', '/accept-invite', '/reset-password'];
const [, API_ROOT] = API_PREFIX.split('/');
/** Nothing below these addresses is a view of the console. */
const OTHER_PLACES = [`/${API_ROOT}`, '/docs', '/healthz', '/.well-known', '/console', ...SIGN_IN_PATHS];
/** A path without escapes and dots: a name with a dot is a file, and an escape could hide a dot. */
const VIEW = /^\/(?:[\w~:@-]+(?:\/[\w~:@-]+)*\/?)?$/;
const MAX_PATH = 2_000;
const PAGE = 'text/html';
/** What a program gets in place of a page. */
const DOCUMENTS = ['application/problem+json', 'application/json'];
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

interface MediaRange {
  readonly name: string;
  readonly weight: number;
}

/** How a header `Accept` rates a media type. */
interface Rating {
  readonly weight: number;
  readonly specificity: number;
  /** Where the range stands, counted from the end. */
  readonly precedence: number;
}
const NOT_ACCEPTED: Rating = { weight: 0, specificity: 0, precedence: 0 };

/** @returns null for a range that names a parameter other than our charset, which no answer of ours has */
function rangeFrom(text: string): MediaRange | null {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const at = parameters.findIndex((parameter) => parameter.startsWith('q='));
  const own = parameters.slice(0, at === -1 ? undefined : at).filter(Boolean);
  if (own.some((parameter) => !/^charset="?utf-8"?$/.test(parameter))) return null;
  const given = at === -1 ? '1' : parameters[at]!.slice(2);
  return { name, weight: WEIGHT.test(given) ? Number(given) : 0 };
}

/** The most specific range that fits a media type rates it (RFC 9110 12.5.1). */
function ratingOf(ranges: readonly (MediaRange | null)[], type: string): Rating {
  const spellings = ['*/*', type.replace(/\/.*/, '/*'), type];
  return ranges.reduce((best, range, index) => {
    const specificity = range ? spellings.indexOf(range.name) + 1 : 0;
    if (!range || specificity <= best.specificity) return best;
    return { weight: range.weight, specificity, precedence: ranges.length - index };
  }, NOT_ACCEPTED);
}

const compareRatings = (one: Rating, other: Rating): number =>
  one.weight - other.weight || one.specificity - other.specificity || one.precedence - other.precedence;

/**
 * Whether the client would rather have a page than a document: a browser that opens an address says so, a program does
 * not. Equal weights are settled by the more specific range, then by the one that comes first.
 */
export function prefersPage(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(rangeFrom);
  const page = ratingOf(ranges, PAGE);
  return page.weight > 0 && DOCUMENTS.every((type) => compareRatings(page, ratingOf(ranges, type)) > 0);
}

/** Whether a path can be a view of the console. */
export function isView(path: string): boolean {
  if (path.length > MAX_PATH || !VIEW.test(path)) return false;
  return !OTHER_PLACES.some((place) => isAtOrBelow(path, place));
}
