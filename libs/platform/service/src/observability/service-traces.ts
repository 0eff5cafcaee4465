import type { EventEnvelope } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { OutboxRelay, Subscription } from '@gatehouse/messaging';
import type { Span, Tracing } from '@gatehouse/telemetry';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const SERVER_FAULT = 500;
const SAMPLED = /-01$/;

/**
 * Opens a span for each request; its context replaces the incoming `traceparent`. A public door (the gateway) begins a
 * new trace and only links the client's, so that an external client decides neither whether a trace is recorded nor
 * which trace a request joins.
 */
export function traceRequests(
  server: FastifyInstance,
  tracing: Tracing,
  { isPublicDoor }: { isPublicDoor: boolean },
): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', async (request) => {
    const { traceparent } = request.headers as { traceparent?: string };
    const route = request.routeOptions.url ?? 'none';
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: request.method,
      [ATTR_HTTP_ROUTE]: route,
      'gatehouse.request_id': String(request.id),
    };
    const span = tracing.start(`${request.method} ${route}`, {
      kind: 'server',
      [isPublicDoor ? 'link' : 'parent']: traceparent,
      attributes,
    });
    request.headers['traceparent'] = span.traceparent;
    spans.set(request, span);
  });
  server.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)?.note({ [ATTR_HTTP_RESPONSE_STATUS_CODE]: statusCode });
    if (statusCode < SERVER_FAULT) span?.end();
    else span?.fail(String(statusCode));
  });
}

const messaging = (operation: string, { subject, id }: EventEnvelope) => ({
  'messaging.system': 'nats',
  'messaging.operation.name': operation,
  'messaging.destination.name': subject,
  'messaging.message.id': id,
});

/** Records the delivery of each event from the outbox to the broker. */
export function tracePublishing(relay: OutboxRelay, tracing: Tracing): void {
  relay.onPublished((events, { since }) => {
    for (const event of events()) {
      if (event.traceparent)
        tracing
          .start(`publish ${event.subject}`, {
            kind: 'producer',
            parent: event.traceparent,
            attributes: messaging('publish', event),
            since,
          })
          .end();
    }
  });
}

/**
 * Wraps a subscription so that each event of a trace gets a span; events that the consumer emits join the trace of the
 * event that caused them.
 */
export function traceConsuming(subscription: Subscription, tracing: Tracing): Subscription {
  const apply = async (tx: Tx, events: EventEnvelope[]): Promise<void> => {
    for (const run of subscription.subject.endsWith('>') ? [events] : runsOf(events)) await applyTraced(run, tx);
  };
  const applyTraced = async (events: EventEnvelope[], tx: Tx): Promise<void> => {
    const traced = events.filter(({ traceparent }) => traceparent);
    const spans = traced.map((event) =>
      tracing.start(`apply ${event.subject}`, {
        kind: 'consumer',
        parent: event.traceparent,
        attributes: messaging('process', event),
      }),
    );
    tx.causedBy(events.length === 1 ? (spans[0]?.traceparent ?? null) : null);
    try {
      await subscription.apply(tx, events);
      for (const span of spans) span.end();
    } catch (error) {
      for (const span of spans) span.fail(error instanceof Error ? error.name : 'Error');
      throw error;
    }
  };
  return { ...subscription, apply };
}

/** Groups consecutive events, except those whose trace is recorded: each of these is applied on its own, in order. */
function runsOf(events: readonly EventEnvelope[]): EventEnvelope[][] {
  const runs: EventEnvelope[][] = [];
  let open: EventEnvelope[] | null = null;
  for (const event of events) {
    const isRecorded = SAMPLED.test(event.traceparent ?? '');
    if (open && !isRecorded) open.push(event);
    else runs.push((open = [event]));
    if (isRecorded) open = null;
  }
  return runs;
}
