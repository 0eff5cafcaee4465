import { chain, codeOf, type Layer, type paths, retries } from '@gatehouse/client';
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
