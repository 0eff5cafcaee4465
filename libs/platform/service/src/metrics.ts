import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The numbers of one service, in a registry of its own so that several services fit into one process. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({ name: 'gatehouse_http_request_seconds', help: 'Duration of requests by route and status', labelNames: ['method', 'route', 'status'], buckets: LATENCY_BUCKETS, registers: [this.registry] });
  readonly outboxDepth = new Gauge({ name: 'gatehouse_outbox_depth', help: 'Events that wait to be published', registers: [this.registry] });
  readonly outboxAge = new Gauge({ name: 'gatehouse_outbox_age_seconds', help: 'Age of the oldest event that waits', registers: [this.registry] });
  readonly poolWaiting = new Gauge({ name: 'gatehouse_pool_waiting', help: 'Requests that wait for a database connection', registers: [this.registry] });

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
  }

  counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  observe(server: FastifyInstance): void {
    server.addHook('onResponse', async (request, reply) => {
      this.requests.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    });
  }
}
