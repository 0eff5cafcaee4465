import { IDENTITY_HEADER, type InternalIdentity, InternalIdentitySigner } from '@gatehouse/auth';
import {
  asService,
  type AuditRecord,
  type EventBundle,
  type EventActor,
  type EventEnvelope,
  type EventType,
  eventsIn,
  type Principal,
} from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { migrate } from '@gatehouse/database';
import { mayState, TRAFFIC } from '@gatehouse/messaging';
import {
  checkConfig,
  createLogger,
  loadConfig,
  Service,
  type ServiceConfig,
  type ServiceDefinition,
} from '@gatehouse/service';
import { brokerUrlOf, withDatabase } from '@gatehouse/stack';
import { Metrics } from '@gatehouse/telemetry';
import { exportJWK, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import supertest from 'supertest';
import { databaseEnvironment, testDatabase, type TestDatabase, testServers } from './backing.ts';
import { TestGateway } from './test-gateway.ts';
import { UndocumentedProblems } from './undocumented-problems.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const JWKS = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256' }] });
const PRIVATE_JWK = JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'test' });
const signer = await InternalIdentitySigner.parse(PRIVATE_JWK);

/** No server listens there: a suite that needs a broker starts its own. */
const NO_BROKER = 'nats://127.0.0.1:1';

export interface TestServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Address of a broker with its administrator's login, from which the service's own login is derived; without a
   * broker, events stay in the outbox, where the suite can read them.
   */
  readonly natsUrl?: string;
  /** Uses the database of another suite service: a second replica. */
  readonly replicaOf?: TestService;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Client = Record<Method, (path: string) => supertest.Test>;

/** A service on the real servers, behind the real gateway: users and agents call it through the gateway. */
export class TestService<C extends ServiceConfig = ServiceConfig> {
  /** Each suite uses its own client address, so that the rate limits of one suite do not affect another. */
  readonly ip = `10.${randomBytes(3).join('.')}`;

  private gateway: TestGateway | null = null;

  private constructor(
    readonly service: Service<C>,
    readonly url: string,
    readonly database: TestDatabase | null,
    private readonly admin: pg.Pool | null,
    private readonly ownsDatabase: boolean,
    private readonly undocumented: UndocumentedProblems,
  ) {}

  static async start<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    options: TestServiceOptions = {},
  ): Promise<TestService<C>> {
    const database = options.replicaOf ? options.replicaOf.database : await migratedDatabase(definition);
    const settings = { ...environment(definition, database, options), ...options.env };
    const config = loadConfig(definition.config, settings);
    checkConfig(config);
    const service = await Service.create(
      definition,
      config,
      createLogger(definition.name, process.env['TEST_LOG_LEVEL'] ?? 'silent'),
    );
    const undocumented = new UndocumentedProblems(service);
    await service.start().catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    const url = await service.listen();
    const admin =
      database &&
      new pg.Pool({ connectionString: withDatabase(testServers().postgresAdminUrl, database.database), max: 2 });
    // A connection that is still closing is cut when the database is dropped.
    admin?.on('error', () => undefined);
    const made = new TestService(service, url, database, admin, !options.replicaOf, undocumented);
    made.gateway = await TestGateway.before(definition.name, url, {
      ...settings,
      INTERNAL_IDENTITY_PRIVATE_KEY: PRIVATE_JWK,
    });
    return made;
  }

  /** Calls as a signed-in principal, through the gateway where there is one; null: without a credential. */
  as(principal: Principal | null): Client {
    const { gateway } = this;
    if (!gateway) return this.client({ principal, ip: this.ip, service: null });
    return this.throughGateway(gateway, async (): Promise<Record<string, string>> =>
      principal ? { authorization: `Bearer ${await gateway.tokenFor(principal)}` } : {},
    );
  }

  /**
   * The address and headers for another kind of client, such as one that reads slowly or disconnects. Needs a gateway.
   */
  async addressFor(principal: Principal, path: string): Promise<{ url: string; headers: Record<string, string> }> {
    if (!this.gateway) throw new Error('the gateway routes nothing to this service');
    return {
      url: `${this.gateway.url}/api/v1${path}`,
      headers: { authorization: `Bearer ${await this.gateway.tokenFor(principal)}`, 'x-forwarded-for': this.ip },
    };
  }

  /** Calls as another service. */
  asService(name: string): Client {
    return this.client({ principal: null, ip: null, service: name });
  }

  /** Calls as a device's agent. */
  asAgent(token: string): Client {
    const headers = { authorization: `Bearer ${token}` };
    return this.gateway
      ? this.throughGateway(this.gateway, async () => headers)
      : this.client({ principal: null, ip: this.ip, service: null }, headers);
  }

  /** Calls the service directly, with only the given headers. */
  bare(): Client {
    return clientOf(this.url, async () => ({}));
  }

  /** What the service tells Prometheus. */
  metrics(): Promise<string> {
    return this.service.app.get(Metrics).registry.metrics();
  }

  /** SQL as the superuser, whom row security does not bind. */
  async sql<T extends object = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<T[]> {
    if (!this.admin) throw new Error('this service has no database');
    const { rows } = await this.admin.query(text, parameters);
    return rows as T[];
  }

  /** The events committed to the outbox, oldest first. */
  async emitted<T extends object>(event: EventType<T>): Promise<EventEnvelope<T>[]> {
    return (await this.committed('subject = $1', [event.subject])) as EventEnvelope<T>[];
  }

  async audits(action?: string): Promise<AuditRecord[]> {
    const events = (await this.committed(`subject LIKE 'audit.%'`)) as EventEnvelope<AuditRecord>[];
    return events.map(({ data }) => data).filter((record) => !action || record.action === action);
  }

  /** Makes the service's own consumers apply an event in a transaction, as if the broker had delivered it. */
  async deliver<T extends object>(event: EventType<T>, data: T, actor: EventActor | null = null): Promise<void> {
    const { store, name } = this.service.platform;
    if (!store) throw new Error('this service has no database');
    const envelope: EventEnvelope<T> = {
      id: newId(),
      subject: event.subject,
      occurredAt: new Date().toISOString(),
      source: stater(event.subject),
      aggregateId: newId(),
      actor: actor ?? { type: 'system', id: null, name: 'test' },
      traceparent: null,
      data,
    };
    const subscriptions = this.service.subscriptions().filter(({ subject }) => subject === event.subject);
    if (subscriptions.length === 0) throw new Error(`nothing in ${name} consumes ${event.subject}`);
    await store.work.background(asService(name), async (tx) => {
      for (const subscription of subscriptions) await subscription.apply(tx, [envelope]);
    });
  }

  async stop(): Promise<void> {
    await this.gateway?.stop();
    await this.service.stop();
    await this.admin?.end();
    if (this.ownsDatabase) await this.database?.drop();
    this.undocumented.requireNone();
  }

  private async committed(where: string, parameters: unknown[] = []): Promise<EventEnvelope[]> {
    const rows = await this.sql<{ envelope: EventEnvelope | EventBundle }>(
      `SELECT envelope FROM outbox WHERE ${where} ORDER BY sequence`,
      parameters,
    );
    return rows.flatMap(({ envelope }) => eventsIn(envelope));
  }

  private throughGateway({ url }: TestGateway, headers: () => Promise<Record<string, string>>): Client {
    return clientOf(url, async () => ({ 'x-forwarded-for': this.ip, ...(await headers()) }));
  }

  private client(identity: InternalIdentity, headers: Record<string, string> = {}): Client {
    return clientOf(this.url, async () => ({
      [IDENTITY_HEADER]: await signer.tokenFor(this.service.platform.name, identity, newId()),
      ...headers,
    }));
  }
}

/** The service that publishes an event. */
const stater = (subject: string): string =>
  Object.keys(TRAFFIC).find((service) => mayState(service, subject)) ?? 'test';

/** A supertest client whose headers are computed asynchronously and set just before the request is sent. */
function clientOf(url: string, headers: () => Promise<Record<string, string>>): Client {
  const call =
    (method: Method) =>
    (path: string): supertest.Test => {
      const test = supertest(url)[method](`/api/v1${path}`);
      const then = test.then.bind(test);
      test.then = ((resolve, reject) =>
        headers()
          .then((own) => void test.set(own))
          .then(() => then(resolve, reject), reject)) as typeof test.then;
      return test;
    };
  return { get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') };
}

function migratedDatabase<C extends ServiceConfig>({
  name,
  database,
}: ServiceDefinition<C>): Promise<TestDatabase | null> {
  if (!database) return Promise.resolve(null);
  const { definition } = database;
  return testDatabase(definition.name === name ? name : definition.name, ({ ownerUrl, appUrl }) =>
    migrate(definition, { owner: ownerUrl, runtime: appUrl }),
  );
}

function environment<C extends ServiceConfig>(
  { name, database }: ServiceDefinition<C>,
  own: TestDatabase | null,
  { natsUrl }: TestServiceOptions,
): Record<string, string> {
  const servers = testServers();
  return {
    NODE_ENV: 'test',
    PUBLIC_URL: 'http://localhost:3000',
    NATS_URL: natsUrl ? brokerUrlOf(natsUrl, name) : NO_BROKER,
    REDIS_URL: servers.redisUrl,
    INTERNAL_IDENTITY_JWKS: JWKS,
    SECRET_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(database && own ? databaseEnvironment(database.definition.name, own) : {}),
  };
}
