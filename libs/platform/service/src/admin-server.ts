import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Platform } from './platform.ts';

export interface Readiness {
  ready: boolean;
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * Serves health and metrics on a separate port, to which the gateway routes nothing. The service stays ready while its
 * database, broker or cache is unreachable, so that a load balancer does not remove it.
 */
export async function serveAdmin(platform: Platform, readiness: Readiness): Promise<{ server: Server; port: number }> {
  const { config, store, bus, redis } = platform;
  const server = createServer((request, response) => {
    if (request.url === '/health/live') return answer(response, 200, { status: 'ok' });
    if (request.url === '/health/ready') {
      const parts = {
        database: store ? store.requests.isInitialized : null,
        broker: bus.isConnected,
        cache: redis.status === 'ready',
      };
      return answer(response, readiness.ready ? 200 : 503, { status: readiness.ready ? 'ok' : 'not ready', parts });
    }
    if (request.url !== '/metrics') return answer(response, 404, { status: 'not found' });
    void platform.metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': platform.metrics.registry.contentType }).end(text),
      () => answer(response, 503, { status: 'unavailable' }),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(config.adminPort, config.host, resolve),
  );
  return { server, port: (server.address() as AddressInfo).port };
}
