import formbody from '@fastify/formbody';
import {
  API_PREFIX,
  BRANDING_BODY_LIMIT_BYTES,
  ProblemError,
  SAML_FORM_BODY_LIMIT_BYTES,
} from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';
import { parse } from 'node:querystring';

const ACS = `${API_PREFIX}/sso/saml/acs`;
const FORM = /^application\/x-www-form-urlencoded\b/i;
const BODY_LIMITS: Readonly<Record<string, number>> = {
  [`${API_PREFIX}/partners/me/login-branding`]: BRANDING_BODY_LIMIT_BYTES,
  [ACS]: SAML_FORM_BODY_LIMIT_BYTES,
};
/** SAML uses two form fields; if a provider adds more than this limit, the rest of the form is not read. */
const MAX_FORM_FIELDS = 20;
const SSO_PATHS = `${API_PREFIX}/sso/`;

/**
 * Accepts form bodies only on the route that SAML providers post to, and larger bodies there and for a branding logo.
 * Refuses HEAD on the SSO routes, where a GET uses up a one-time value: link scanners and previews send HEAD.
 */
export async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRoute', (route) => {
    const limit = BODY_LIMITS[route.url];
    if (limit) route.bodyLimit = limit;
  });
  server.addHook('onRequest', async ({ method, url, headers, routeOptions }) => {
    if (method === 'HEAD' && url.startsWith(SSO_PATHS))
      throw new ProblemError('route_not_found', 'There is nothing at this address.');
    if (FORM.test(headers['content-type'] ?? '') && routeOptions.url !== ACS)
      throw new ProblemError('unsupported_media_type', 'This route takes JSON.');
  });
  await server.register(formbody, { parser: (form) => parse(form, '&', '=', { maxKeys: MAX_FORM_FIELDS }) });
}
