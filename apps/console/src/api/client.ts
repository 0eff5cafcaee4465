import { chain, codeOf, type DataOf, type Layer, ok, type paths, retries } from '@gatehouse/client';
import { queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { send } from './transport/send.ts';
import { currentToken, endSession, renewSession } from './session.ts';
import { requestStepUp } from './step-up.ts';

const KEYED = ['POST', 'PATCH'];
/** Sessions and one-time addresses take no key: their answers hold secrets. */
const WITHOUT_KEY = /\/api\/v1\/(auth|sso\/(exchange|link)|audit-logs\/exports)/;

/** One key for one intention: it stays the same after a step-up, a refresh or a retry. */
const idempotencyKey: Layer = (next) => (request) => {
  if (KEYED.includes(request.method) && !WITHOUT_KEY.test(request.url))
    request.headers.set('idempotency-key', crypto.randomUUID());
  return next(request);
};

const stepUp: Layer = (next) => async (request) => {
  const response = await next(request.clone());
  if (response.status !== 403 || (await codeOf(response)) !== 'mfa_required') return response;
  return (await requestStepUp()) ? next(request) : response;
};

const withToken = (request: Request): Request => {
  const copy = request.clone();
  const token = currentToken();
  if (token !== null) copy.headers.set('authorization', `Bearer ${token}`);
  return copy;
};

/** Refreshes an expired token unseen; any other 401 of a signed-in caller ends the session. */
const bearer: Layer = (next) => async (request) => {
  const token = currentToken();
  const response = await next(withToken(request));
  if (response.status !== 401) return response;
  if ((await codeOf(response)) === 'token_expired' && (await renewSession(token))) return next(withToken(request));
  if (token !== null && !request.url.includes('/auth/mfa/')) endSession();
  return response;
};

/** The API, typed by its contract: `ok(api.GET('/pam/rules'))` from `@gatehouse/client` gives the data or throws. */
export const api = createClient<paths>({
  baseUrl: `${location.origin}/api/v1`,
  querySerializer: { array: { style: 'form', explode: true } },
  fetch: chain(send, idempotencyKey, stepUp, bearer, retries({ retries: 3, maxWaitSeconds: 30 })),
});

type GetPath = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths];
type ParamsOf<P extends GetPath> = Pick<paths[P]['get']['parameters'], 'path' | 'query'>;
type Key<P extends GetPath> = readonly [feature: string, path: P, params: ParamsOf<P>];
type Options<P extends GetPath, T> = Omit<UseQueryOptions<DataOf<P, 'get'>, Error, T, Key<P>>, 'queryKey' | 'queryFn'>;

/**
 * The query of one GET, with its parameters and options. The cache holds the whole answer, and `select` takes from it
 * what the caller wants, so that all who ask the same share it. `openapi-react-query` does the like; it takes an error
 * without a body for success, throws problems without their status, keeps no feature in the key and brings infinite
 * queries into the first view.
 * @param feature begins the key: events and acts name the features whose data they make stale
 */
export function getQuery<P extends GetPath, T = DataOf<P, 'get'>>(
  feature: string,
  path: P,
  { path: ids, query, ...options }: ParamsOf<P> & Options<P, T>,
) {
  const params = { path: ids, query } as ParamsOf<P>;
  return queryOptions<DataOf<P, 'get'>, Error, T, Key<P>>({
    ...options,
    queryKey: [feature, path, params],
    queryFn: ({ signal }) => ok(api.GET(path, { params, signal } as never)) as Promise<DataOf<P, 'get'>>,
  });
}
