import type { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeTenant, startWorld, type Tenant, until, type World } from './world.ts';

describe("the trace of an agent's report", () => {
  let collector: Collector;
  let world: World;
  let tenant: Tenant;
  let agent: Api;
  beforeAll(async () => {
    collector = await Collector.start();
    world = await startWorld({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}`,
      EGRESS_ALLOW_HOSTS: collector.host,
      EGRESS_ALLOW_HTTP: 'true',
    });
    tenant = await makeTenant(world.admin);
    agent = world.admin.as(tenant.agentToken);
    await world.admin.must('POST', '/push-subscriptions', {
      kind: 'webhook',
      endpoint: `http://${collector.host}/push`,
    });
  });
  afterAll(async () => {
    await world.stop();
    collector.stop();
  });

  it('spans gateway, service, transaction, outbox, and the consumers in pam, audit and notifier', async () => {
    let number = 1;
    // Repeats until PAM knows a technician whom a push can reach.
    const trace = await until(async () => {
      const { traceId } = (await traceOfReport(number++))[0] as Span;
      const whole = () => collector.spans.filter((span) => span.traceId === traceId);
      return until(async () => (whole().some(({ service }) => service === 'notifier') ? whole() : null), 3);
    }, 60);
    const told = trace.map(({ service, name }) => `${service}: ${name}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'gateway: POST /api/v1/agents/:id/elevation-requests',
        'pam-ingest: POST /api/v1/agents/:id/elevation-requests',
        'pam-ingest: transaction',
        expect.stringMatching(/^pam(-ingest)?: publish pam\.elevation\.requested\.v1$/),
        expect.stringMatching(/^pam(-ingest)?: publish audit\.pam-ingest$/),
        'audit: apply audit.pam-ingest',
        'pam: apply pam.elevation.requested.v1',
        expect.stringMatching(/^pam(-ingest)?: publish approval\.push\.requested\.v1$/),
        'notifier: apply approval.push.requested.v1',
      ]),
    );
    const known = new Set(trace.map(({ spanId }) => spanId));
    expect(trace.filter(({ parentSpanId }) => !parentSpanId).map(({ service }) => service)).toEqual(['gateway']);
    expect(trace.filter(({ parentSpanId }) => parentSpanId && !known.has(parentSpanId))).toEqual([]);
  });

  it('is begun by the gateway, whatever trace the client says it belongs to', () => {
    expect(collector.spans.filter(({ traceId }) => traceId === CLIENT_TRACE)).toEqual([]);
  });

  it('tells nothing of the person, the program, the device or a token', () => {
    const secrets = [
      'canary',
      tenant.agentToken,
      tenant.deviceId,
      'pc-1',
      world.product.administrator.email,
      world.product.administrator.password,
      'Bearer',
    ];
    expect(secrets.filter((secret) => collector.text.includes(secret))).toEqual([]);
  });

  /** Reports a prompt and waits for the trace that the gateway began for it. */
  async function traceOfReport(number: number): Promise<Span[]> {
    const clientSpan = number.toString(16).padStart(16, '0');
    const report = {
      subject_username: 'canary-person',
      target_executable_path: `C:\\canary\\setup-${number}.exe`,
      pid: number,
      observed_at: new Date().toISOString(),
    };
    const { status } = await agent.call('POST', `/agents/${tenant.deviceId}/elevation-requests`, report, {
      traceparent: `00-${CLIENT_TRACE}-${clientSpan}-01`,
    });
    expect(status).toBe(201);
    const root = await until(
      async () =>
        collector.spans.find(
          ({ service, name, links }) =>
            service === 'gateway' &&
            name.includes('elevation-requests') &&
            links?.some((link) => JSON.stringify(link).includes(clientSpan)),
        ) ?? null,
    );
    await until(async () =>
      collector.spans.some(
        ({ service, name, traceId }) => traceId === root.traceId && service === 'audit' && name.startsWith('apply'),
      ),
    );
    return collector.spans.filter(({ traceId }) => traceId === root.traceId);
  }
});

interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

/** An OpenTelemetry collector that keeps the spans it receives, and a push endpoint: any other POST. */
class Collector {
  readonly spans: Span[] = [];
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          if (request.url === '/v1/traces') collector.take(Buffer.concat(chunks).toString());
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(text: string): void {
    this.text += text;
    for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      this.spans.push(
        ...scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({ ...span, service: service.replace('gatehouse-', '') })),
        ),
      );
    }
  }
}

const CLIENT_TRACE = '0af7651916cd43dd8448eb211c80319c';
