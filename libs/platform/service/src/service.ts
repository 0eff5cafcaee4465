import { API_PREFIX } from '@gatehouse/contracts-core';
import type { DatabaseDefinition, PlaceTables, SealedColumn } from '@gatehouse/database';
import { ConsumerRunner, type Subscription, subscriptionsOf } from '@gatehouse/messaging';
import { openTracing } from '@gatehouse/telemetry';
import { Module, type Type } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { ServiceConfig } from './config/service.config.ts';
import { createHttpAdapter } from './http/http-server.ts';
import { useStrictJson } from './http/json-body.ts';
import { ProblemFilter } from './http/problem-filter.ts';
import { StrictValidation } from './http/validation.ts';
import { type Logger, nestLogger } from './observability/logging.ts';
import { traceConsuming, traceRequests } from './observability/service-traces.ts';
import { PlatformModule } from './platform.module.ts';
import {
  connectPlatform,
  createPlatform,
  disconnectPlatform,
  type Platform,
  type PlatformOptions,
} from './platform.ts';
import { measureConsumers, measurePlatform, measureRequests } from './service-metrics.ts';

/**
 * Logs at start-up which stored secrets the service cannot open, and which key the operator must restore. The service
 * starts nevertheless: requests that need none of those secrets succeed.
 */
async function reportLostKeys({ store, log }: Platform): Promise<void> {
  const report = await store?.sealed
    .report()
    .catch((error: unknown) => log.warn({ err: error }, 'sealed secrets could not be counted'));
  for (const { column, keyId, count, known } of report?.counts ?? []) {
    if (!known)
      log.error(
        { column, keyId, count },
        `stored secrets cannot be opened: bring the key ${keyId} back into SECRET_ENCRYPTION_KEYS, then reseal`,
      );
  }
}

/** Everything in which one service differs from another. */
export interface ServiceDefinition<C extends ServiceConfig> {
  readonly name: string;
  readonly config: new () => C;
  readonly module: Type;
  readonly database?: {
    readonly definition: DatabaseDefinition;
    readonly url: (config: C) => string;
    /** Leads past a pooler, for LISTEN. */
    readonly directUrl?: (config: C) => string | undefined;
  };
  /** Where resources are stored, so that a refused act is recorded under their organisation (AUD-09). */
  readonly places?: PlaceTables;
  /** The service's own columns with sealed values. */
  readonly sealed?: readonly SealedColumn[];
  /** Configures the HTTP server where no Nest decorator can: cookies, form bodies, the gateway's proxy. */
  readonly configureHttp?: (server: FastifyInstance, config: C) => Promise<void>;
  /** Registers the service's own metrics, in addition to those that every service has. */
  readonly measure?: (platform: Platform) => void;
  /** Accepts requests from outside the installation, and does not trust their trace context. */
  readonly isPublicDoor?: boolean;
  /** Limit for the headers of one request, for a service that accepts requests from outside. */
  readonly maxHeaderBytes?: number;
  /** Paths outside `/api/v1`. */
  readonly unprefixed?: readonly string[];
}

@Module({})
class RootModule {}

function databaseOf<C extends ServiceConfig>(
  { database, sealed = [] }: ServiceDefinition<C>,
  config: C,
): PlatformOptions['database'] {
  if (!database) return null;
  const { definition, url, directUrl } = database;
  return { definition, url: url(config), directUrl: directUrl?.(config), sealed };
}

const serverOf = (app: NestFastifyApplication): FastifyInstance =>
  app.get(HttpAdapterHost).httpAdapter.getInstance<FastifyInstance>();

/**
 * The life cycle of a service: create, start, drain, stop. Tests run it in their process, `startService` as a process.
 */
export class Service<C extends ServiceConfig = ServiceConfig> {
  private runners: ConsumerRunner[] = [];
  private draining = false;

  private constructor(
    readonly app: NestFastifyApplication,
    readonly platform: Platform,
    readonly config: C,
  ) {}

  /** Creates the service without any input or output, so that its contract can be generated. */
  static async create<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    config: C,
    log?: Logger,
  ): Promise<Service<C>> {
    const tracing = await openTracing({
      service: definition.name,
      endpoint: config.otelExporterOtlpEndpoint,
      ratio: config.otelTracesSamplerArg,
    });
    const platform = createPlatform({
      name: definition.name,
      config,
      database: databaseOf(definition, config),
      log,
      tracing,
    });
    const root = { module: RootModule, imports: [PlatformModule.of(platform), definition.module] };
    const adapter = createHttpAdapter({
      maxHeaderBytes: definition.maxHeaderBytes,
      isPublicDoor: definition.isPublicDoor,
      production: config.isProduction,
    });
    const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
      logger: nestLogger(platform.log),
      abortOnError: false,
      bodyParser: false,
    });
    const server = serverOf(app);
    useStrictJson(server);
    if (tracing) traceRequests(server, tracing, { isPublicDoor: definition.isPublicDoor ?? false });
    measureRequests(server, platform.metrics);
    measurePlatform(platform);
    definition.measure?.(platform);
    app.setGlobalPrefix(API_PREFIX.slice(1), { exclude: [...(definition.unprefixed ?? [])] });
    app.useGlobalPipes(new StrictValidation());
    app.useGlobalFilters(new ProblemFilter(platform.log, platform.store?.work ?? null, definition.places));
    const service = new Service(app, platform, config);
    server.addHook('onSend', (_, reply, payload, done) => {
      if (service.draining) void reply.header('connection', 'close');
      else if (config.drainDelaySeconds > 0) void reply.header('keep-alive', `timeout=${config.drainDelaySeconds}`);
      done(null, payload);
    });
    await definition.configureHttp?.(server, config);
    return service;
  }

  /** Connects, initialises and starts to consume; does not listen yet. */
  async start(): Promise<void> {
    await connectPlatform(this.platform);
    await this.app.init();
    await serverOf(this.app).ready();
    this.startConsumers();
    void reportLostKeys(this.platform);
  }

  async listen(): Promise<string> {
    await this.app.listen(this.config.port, this.config.host);
    return this.app.getUrl();
  }

  /**
   * From now on every answer closes its connection, so that clients move to other replicas. An idle connection is not
   * reused, because clients keep connections idle for a shorter time than draining takes.
   */
  beginDraining(): void {
    this.draining = true;
  }

  /** Lets requests in flight finish, stops consuming, publishes the rest of the outbox and disconnects. */
  async stop(): Promise<void> {
    this.draining = true;
    await Promise.all(this.runners.map((runner) => runner.stop()));
    await this.app.close();
    await disconnectPlatform(this.platform);
  }

  /** What this service consumes, imported modules first: what they keep of an event is there for their importers. */
  subscriptions(): Subscription[] {
    return this.app
      .get(DiscoveryService, { strict: false })
      .getProviders()
      .toSorted((a, b) => (b.host?.distance ?? 0) - (a.host?.distance ?? 0))
      .map(({ instance }) => instance as unknown)
      .filter((instance): instance is object => typeof instance === 'object' && instance !== null)
      .flatMap(subscriptionsOf);
  }

  private startConsumers(): void {
    const { store, bus, log, name, metrics, tracing } = this.platform;
    if (!store) return;
    const subscriptions = this.subscriptions().map((subscription) =>
      tracing ? traceConsuming(subscription, tracing) : subscription,
    );
    store.deadLetters.replayInto(subscriptions);
    this.runners = ConsumerRunner.forAll(name, subscriptions, { bus, work: store.work, log, metrics });
    measureConsumers(metrics, this.runners);
    for (const runner of this.runners) runner.start();
  }
}
