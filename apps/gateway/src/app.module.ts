import { InternalIdentitySigner } from '@gatehouse/auth';
import { EventBus } from '@gatehouse/messaging';
import { clockFaultsOf, ConfigError, type Logger, LOGGER } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { readConsole } from './console/console-build.ts';
import { serveConsole } from './console/serve-console.ts';
import { protectResponses } from './front-door/response-headers.ts';
import { CallerConcurrency, Proxy } from './proxy/proxy.ts';
import { AccessTokens } from './credentials/access-tokens.ts';
import { Credentials } from './credentials/credentials.ts';
import { EventContinuity } from './credentials/event-continuity.ts';
import { Introspection } from './credentials/introspection.ts';
import { servePublicPages } from './docs/public-pages.ts';
import { showProblemsAsPages } from './pages/error-page.ts';
import { serveSignInPages } from './pages/sign-in-pages.ts';
import { openFrontDoor } from './front-door/front-door.ts';
import { GatewayConfig } from './gateway.config.ts';
import { Upstreams } from './upstreams/upstreams.ts';

const signerOf = async ({ internalIdentityPrivateKey }: GatewayConfig): Promise<InternalIdentitySigner> => {
  try {
    return await InternalIdentitySigner.parse(internalIdentityPrivateKey);
  } catch (error) {
    throw new ConfigError(
      `INTERNAL_IDENTITY_PRIVATE_KEY is malformed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/** The gateway has no controllers: it serves the routing table and the public pages. */
@Module({
  providers: [
    {
      provide: Upstreams,
      inject: [GatewayConfig],
      useFactory: ({ upstreamUrls, pamIngestReplicasUrl }: GatewayConfig) =>
        new Upstreams(upstreamUrls, { 'pam-ingest': pamIngestReplicasUrl }),
    },
    { provide: InternalIdentitySigner, inject: [GatewayConfig], useFactory: signerOf },
    {
      provide: AccessTokens,
      inject: [Upstreams, InternalIdentitySigner, EventContinuity, Metrics],
      useFactory: (upstreams: Upstreams, signer: InternalIdentitySigner, events: EventContinuity, metrics: Metrics) =>
        new AccessTokens(upstreams, signer, events, () => clockFaultsOf(metrics).inc()),
    },
    { provide: EventContinuity, inject: [EventBus], useFactory: (bus: EventBus) => new EventContinuity(bus) },
    {
      provide: Introspection,
      inject: [Upstreams, InternalIdentitySigner, EventContinuity],
      useFactory: (upstreams: Upstreams, signer: InternalIdentitySigner, events: EventContinuity) =>
        new Introspection(upstreams, signer, events),
    },
    {
      provide: Credentials,
      inject: [AccessTokens, Introspection],
      useFactory: (tokens: AccessTokens, introspection: Introspection) => new Credentials(tokens, introspection),
    },
    CallerConcurrency,
    Proxy,
  ],
})
export class AppModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: GatewayConfig,
    private readonly proxy: Proxy,
    private readonly upstreams: Upstreams,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: Metrics,
  ) {}

  async onModuleInit(): Promise<void> {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    const build = readConsole(this.config.consoleDirectory);
    showProblemsAsPages(server, build !== null);
    // Comes after the pages, whose headers it completes.
    protectResponses(server, { origin: new URL(this.config.baseUrl).origin, production: this.config.isProduction });
    servePublicPages(server);
    serveSignInPages(server, build !== null);
    if (build) await serveConsole(server, build, this.log);
    await openFrontDoor(server, this.proxy, {
      log: this.log,
      metrics: this.metrics,
      maxWaitingAgents: this.config.maxWaitingAgents,
    });
  }

  /** Called before the server waits for its requests to end. */
  beforeApplicationShutdown(): void {
    this.proxy.endEventStreams();
  }

  /** Called when the last request has been answered. */
  onApplicationShutdown(): Promise<void> {
    return this.upstreams.close();
  }
}
