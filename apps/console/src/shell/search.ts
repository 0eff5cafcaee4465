import { retainSearchParams } from '@tanstack/react-router';

type Parser<T> = (value: string) => T | undefined;
type Repeated<T> = Parser<T> & { readonly repeated: true };
type Parsers = Readonly<Record<string, Parser<unknown> | Repeated<unknown>>>;
type Parsed<P> = P extends Repeated<infer T> ? readonly T[] : P extends Parser<infer T> ? T : never;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const id: Parser<string> = (value) => (UUID.test(value) ? value.toLowerCase() : undefined);
export const text: Parser<string> = (value) => value.slice(0, 255) || undefined;
export const pageNumber: Parser<number> = (value) => (/^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined);
export const instant: Parser<string> = (value) => (Number.isNaN(Date.parse(value)) ? undefined : value);
export const flag: Parser<true> = (value) => (value === 'true' ? true : undefined);
export const oneOf =
  <const T extends string>(values: readonly T[]): Parser<T> =>
  (value) =>
    values.find((known) => known === value);
export const several = <T>(one: Parser<T>): Repeated<T> => Object.assign(one.bind(null), { repeated: true as const });

function parse(parser: Parser<unknown> | Repeated<unknown>, value: unknown): unknown {
  const values = (Array.isArray(value) ? value : [value]).map(String);
  if (!('repeated' in parser)) return parser(values[0] ?? '');
  const known = values.map((one) => parser(one)).filter((one) => one !== undefined);
  return known.length > 0 ? known : undefined;
}

/** The search parameters of a route: those that it knows, with values that it knows. All others are dropped. */
export const searchOf =
  <const P extends Parsers>(parsers: P) =>
  (raw: Record<string, unknown>): { readonly [K in keyof P]?: Parsed<P[K]> } => {
    const entries = Object.entries(parsers)
      .filter(([name]) => raw[name] !== undefined)
      .map(([name, parser]) => [name, parse(parser, raw[name])] as const);
    // An unknown value becomes undefined: the router keeps what a route says nothing about.
    return Object.fromEntries(entries) as never;
  };

/** Reads `?status=denied&status=expired` as `{ status: ['denied', 'expired'] }`. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const search = new URLSearchParams(query);
  const entries = [...new Set(search.keys())].flatMap((name) => {
    const values = search.getAll(name);
    // The frame of the screens reads where one is without the parsers of a route.
    if (name in CONTEXT && !values.every(id)) return [];
    return [[name, values.length > 1 ? values : (values[0] ?? '')] as const];
  });
  return Object.fromEntries(entries);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)]),
  );
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? '' : `?${query}`;
}

/** The routes of what a partner owns: operators name the partner, which stays from one to the next. */
export const OF_PARTNER = {
  validateSearch: searchOf({ partner: id, page: pageNumber }),
  search: { middlewares: [retainSearchParams<{ partner?: string }>(['partner'])] },
};

/** Where one is: kept from list to list. */
export const CONTEXT = { org: id, site: id };
