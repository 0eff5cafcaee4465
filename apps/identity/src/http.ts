import formbody from '@fastify/formbody';
import { API_PREFIX, BRANDING_BODY_LIMIT_BYTES, Refusal } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';

const BRANDING_PATH = `${API_PREFIX}/partners/me/login-branding`;
const SSO_PATHS = `${API_PREFIX}/sso/`;

/**
 * Form bodies, as SAML providers post them; room for a logo in the branding; and no HEAD where a GET uses something up, as
 * link scanners and previews would.
 */
export async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRoute', (route) => {
    if (route.url === BRANDING_PATH) route.bodyLimit = BRANDING_BODY_LIMIT_BYTES;
  });
  server.addHook('onRequest', async ({ method, url }) => {
    if (method === 'HEAD' && url.startsWith(SSO_PATHS)) throw new Refusal('route_not_found', 'There is nothing at this address.');
  });
  await server.register(formbody);
}
