import {
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span as OpenTelemetrySpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';

const KINDS = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** The format of version 00 in W3C Trace Context, 3.2.2.1. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface TracingOptions {
  readonly service: string;
  /** Base address of the collector, such as `http://collector:4318`. */
  readonly endpoint: string;
  /** Share of the traces begun here that are recorded, 0 to 1; for other traces the incoming decision holds. */
  readonly ratio: number;
}

export interface SpanOptions {
  readonly kind: keyof typeof KINDS;
  /** W3C traceparent of the cause; without one, a new trace begins. */
  readonly parent?: string | null;
  /** A related span of an untrusted client, which must not decide about our traces. */
  readonly link?: string | null;
  /** Names, numbers and ids that this product generates: never a secret, a body, a path or personal data. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Milliseconds since the epoch; default now. */
  readonly since?: number;
}

/** An operation that is being traced. */
export class Span {
  constructor(private readonly span: OpenTelemetrySpan) {}

  /** W3C traceparent of this span, for the operations that it causes. */
  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
  }

  note(attributes: Readonly<Record<string, string | number>>): this {
    this.span.setAttributes(attributes);
    return this;
  }

  end(): void {
    this.span.end();
  }

  /** @param kind the class of the error or a status, never its message, which may contain data */
  fail(kind: string): void {
    this.span.setAttribute(ATTR_ERROR_TYPE, kind).setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/**
 * Creates OpenTelemetry spans without an ambient context: the traceparent is a value that travels with the request, the
 * caller and the event. Loaded only when tracing is on ({@link openTracing}).
 */
export class Tracing {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor({ service, endpoint, ratio }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: `gatehouse-${service}` }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('gatehouse');
  }

  start(name: string, { kind, parent, link, attributes = {}, since }: SpanOptions): Span {
    const links: Link[] = spanContextsOf(link).map((context) => ({ context }));
    return new Span(
      this.tracer.startSpan(name, { kind: KINDS[kind], attributes, links, startTime: since }, contextOf(parent)),
    );
  }

  /** Sends the remaining spans; an unreachable collector delays the stop only briefly. */
  async close(): Promise<void> {
    await this.provider.shutdown().catch(() => undefined);
  }
}

function spanContextsOf(traceparent: string | null | undefined): SpanContext[] {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const context = {
    traceId: traceId ?? '',
    spanId: spanId ?? '',
    traceFlags: parseInt(flags ?? '0', 16),
    isRemote: true,
  };
  return isSpanContextValid(context) ? [context] : [];
}

function contextOf(traceparent: string | null | undefined): Context {
  const [parent] = spanContextsOf(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
