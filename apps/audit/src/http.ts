import { API_PREFIX, ProblemError } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';

const ONE_TIME_ADDRESS = `${API_PREFIX}/audit-logs/exports/`;

/** Refuses HEAD where a GET uses up the address of an export: link scanners and previews send HEAD. */
export async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async ({ method, url }) => {
    if (method === 'HEAD' && url.startsWith(ONE_TIME_ADDRESS))
      throw new ProblemError('route_not_found', 'There is nothing at this address.');
  });
}
