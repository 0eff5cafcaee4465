import formbody from '@fastify/formbody';
import { API_PREFIX, BRANDING_BODY_LIMIT_BYTES } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';

const BRANDING_PATH = `${API_PREFIX}/partners/me/login-branding`;

/** Form bodies, as SAML providers post them, and room for a logo in the branding. */
export async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRoute', (route) => {
    if (route.url === BRANDING_PATH) route.bodyLimit = BRANDING_BODY_LIMIT_BYTES;
  });
  await server.register(formbody);
}
