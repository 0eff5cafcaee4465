import fc from 'fast-check';
import { nearlyValuesFor, ODD_IDS, valuesFor } from './arbitraries.ts';
import { CALLERS, type CallerName } from './callers.ts';
import type { Route } from './contract.ts';
import type { Schemas } from './schema.ts';
import type { Exchange } from './verdict.ts';

export interface Request {
  readonly caller: CallerName;
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The media type; empty for the one that the operation takes. */
  readonly media: string;
}

/** What exists: ids by the beginning of the routes that name them. */
export type Things = Readonly<Record<string, string>>;

const STREAM_MS = 300;
const TAKES_AWAY = /merge$|archive|decommission|\/purge/;
const isDestructive = ({ method, path }: Route): boolean => method === 'DELETE' || TAKES_AWAY.test(path);

/** Operations that only read come first, those that take something away last. */
export const rankOf = (route: Route): number => {
  if (isDestructive(route)) return 2;
  return route.method === 'GET' ? 0 : 1;
};

function idsFor(route: Route, things: Things, known: readonly string[]): fc.Arbitrary<string> {
  const short = route.path.replace('/api/v1', '');
  const [own] = Object.entries(things)
    .filter(([beginning]) => short.startsWith(`${beginning}/{`))
    .map(([, id]) => id);
  const real = short.startsWith('/agents/') ? things['/devices'] : own;
  const isRarelyReal = isDestructive(route);
  return fc.oneof(
    { arbitrary: fc.constant(real ?? known[0] ?? ''), weight: isRarelyReal ? 1 : 7 },
    { arbitrary: fc.uuid(), weight: 2 },
    { arbitrary: fc.constantFrom(...known), weight: isRarelyReal ? 0 : 1 },
    { arbitrary: ODD_IDS, weight: 1 },
  );
}

function queryFor({ query }: Route, schemas: Schemas, known: readonly string[]): fc.Arbitrary<Request['query']> {
  const odd = fc.constantFrom<unknown>('x', '', ' ');
  const members = query.map(({ name, schema }) => [
    name,
    // Long polling would only wait.
    name === 'waitSeconds'
      ? fc.constantFrom<unknown>(0, 'x', -1)
      : fc.oneof({ arbitrary: valuesFor(schema, schemas, known), weight: 5 }, { arbitrary: odd, weight: 1 }),
  ]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] });
}

const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'If-Match': fc.constantFrom('"1"', '*', '"0", "2"', 'W/"1"', 'x', ''),
  'Idempotency-Key': fc.oneof(fc.uuid(), fc.constantFrom('again', '', 'a'.repeat(300))),
};

const headersFor = ({ headers }: Route): fc.Arbitrary<Request['headers']> =>
  fc
    .record(Object.fromEntries(headers.flatMap(({ name }) => (HEADERS[name] ? [[name, HEADERS[name]]] : []))), {
      requiredKeys: [],
    })
    .map((some) => some as Request['headers']);

export function requestsFor(route: Route, schemas: Schemas, things: Things): fc.Arbitrary<Request> {
  const known = [...new Set(Object.values(things))];
  const { length } = route.pathParameters;
  return fc.record({
    caller: fc.constantFrom(...CALLERS),
    ids: fc.array(idsFor(route, things, known), { minLength: length, maxLength: length }),
    query: queryFor(route, schemas, known),
    headers: headersFor(route),
    body: route.body ? nearlyValuesFor(route.body.schema, schemas, known) : fc.constant(undefined),
    media: fc.oneof(
      { arbitrary: fc.constant(''), weight: 30 },
      { arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16'), weight: 1 },
    ),
  });
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function addressOf({ path, pathParameters }: Route, { ids, query }: Request): string {
  const filled = pathParameters.reduce((text, { name }, index) => text.replace(`{${name}}`, ids[index] ?? ''), path);
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, asText(each)]),
    ),
  );
  return search.size > 0 ? `${filled}?${search.toString()}` : filled;
}

function textOf({ method, body: taken }: Route, body: unknown): string | undefined {
  if (body === undefined || method === 'GET') return undefined;
  if (taken?.type !== 'application/x-www-form-urlencoded') return JSON.stringify(body);
  const members = Object.entries((body ?? {}) as object).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(members).toString();
}

/** Reads the whole answer; of an event stream, which does not end by itself, nothing. */
async function read(response: Response): Promise<Exchange> {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (type !== 'text/event-stream') return { status: response.status, type, text: await response.text() };
  await new Promise((resolve) => setTimeout(resolve, STREAM_MS));
  await response.body?.cancel();
  return { status: response.status, type, text: '' };
}

export async function sent(baseUrl: string, route: Route, request: Request, token: string | null): Promise<Exchange> {
  const body = textOf(route, request.body);
  const type = request.media || (route.body?.type ?? 'application/json');
  const response = await fetch(`${baseUrl}${addressOf(route, request)}`, {
    method: route.method,
    redirect: 'manual',
    headers: {
      ...request.headers,
      ...(body !== undefined && { 'content-type': type }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  });
  return read(response);
}
