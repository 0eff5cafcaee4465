import { BACKGROUND_POOL, REQUEST_POOL, SYSTEM_POOL } from '@gatehouse/database';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, IsUrl, Max, Min, ValidateBy } from 'class-validator';
import { ConfigError } from './config.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];
const PORT_MAX = 65_535;
/** A connection for LISTEN, and one for each kind of caller that has a share. */
const MIN_POOL = 5;
const MAX_POOL = 200;
const url = { require_tld: false, require_protocol: true };
const webAddress = { ...url, protocols: ['http', 'https'] };
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i;

/** Pairs `host:port`, separated by commas. */
const areHostsAndPorts = (setting: unknown): boolean =>
  typeof setting === 'string' && setting.split(',').every((pair) => HOST_AND_PORT.test(pair.trim()));

/** The settings that every service reads from its environment. */
export class ServiceConfig {
  /** `production` refuses the allowances for development and turns on HSTS. */
  @IsIn(['development', 'test', 'production'], { message: 'must be development, test or production' })
  nodeEnv: string = 'development';

  /** The least severe messages that are logged. */
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  logLevel: string = 'info';

  /** The version that the service shows to operators; its image sets it. */
  @IsString()
  serviceVersion: string = 'development';

  /** Address that the service listens on. */
  @IsString()
  host: string = '127.0.0.1';

  /** Port of requests; 0: any free one. */
  @IsInt({ message: 'must be a port number' })
  @Min(0)
  @Max(PORT_MAX)
  port: number = 0;

  /** Port of health and metrics; the gateway routes nothing to it. */
  @IsInt({ message: 'must be a port number' })
  @Min(0)
  @Max(PORT_MAX)
  adminPort: number = 0;

  /** The broker, with the service's own login; several servers of one cluster are separated by commas. */
  @IsString({ message: 'must be a nats:// address' })
  natsUrl!: string;

  /** Redis, which holds rate limits and caches. With Sentinels the host is the name of their group. */
  @IsUrl({ ...url, protocols: ['redis', 'rediss'] }, { message: 'must be a redis:// address' })
  redisUrl!: string;

  /** A pooler in transaction mode stands before PostgreSQL: settings of a session go with each transaction. */
  @IsBoolean({ message: 'must be true or false' })
  databasePooled: boolean = false;

  /** Connections of each process for requests; what one person, tenant and all people may hold is a share of them. */
  @IsInt()
  @Min(MIN_POOL)
  @Max(MAX_POOL)
  databasePoolRequests: number = REQUEST_POOL.size;

  /** Connections of each process for relay, consumers, periodic work and health. */
  @IsInt()
  @Min(2)
  @Max(MAX_POOL)
  databasePoolBackground: number = BACKGROUND_POOL.size;

  /** Connections of each process for single statements of its own, mainly of sign-ins and refreshes. */
  @IsInt()
  @Min(1)
  @Max(MAX_POOL)
  databasePoolSystem: number = SYSTEM_POOL.size;

  /** File with the certificates (PEM) of the authority of PostgreSQL's certificate. Turns TLS with verification on. */
  @IsOptional()
  @IsString()
  databaseCaFile?: string;

  /** The same for NATS; without it, an address with `tls://` is verified by the public authorities. */
  @IsOptional()
  @IsString()
  natsCaFile?: string;

  /** The same for Redis, and `rediss://`. */
  @IsOptional()
  @IsString()
  redisCaFile?: string;

  /** Sentinels that know the master of Redis: `sentinel-0:26379,sentinel-1:26379`. */
  @IsOptional()
  @IsString()
  redisSentinels?: string;

  /** The password of the Sentinels, if they have one. */
  @IsOptional()
  @IsString()
  redisSentinelPassword?: string;

  /** Hosts of PostgreSQL, NATS and Redis, separated by commas, that production may reach without TLS. */
  @IsOptional()
  @IsString()
  plainTextStores?: string;

  /** The gateway's public keys, a JWK set in JSON. */
  @IsString({ message: 'must be a JWK set in JSON' })
  internalIdentityJwks!: string;

  /** The operators' public keys, a JWK set in JSON; without it operators sign with the gateway's key. */
  @IsOptional()
  @IsString()
  operatorJwks?: string;

  /** The product's address for users; `http://localhost:3000` without it. */
  @IsOptional()
  @IsUrl(webAddress, { message: 'must be an http:// or https:// address' })
  publicUrl?: string;

  /** Another name of PUBLIC_URL. */
  @IsOptional()
  @IsUrl(webAddress, { message: 'must be an http:// or https:// address' })
  publicAppUrl?: string;

  /** Another name of PUBLIC_URL. */
  @IsOptional()
  @IsUrl(webAddress, { message: 'must be an http:// or https:// address' })
  dashboardUrl?: string;

  /** Keys that seal secrets, `k2:…,k1:…`: the first one seals, all of them open. */
  @IsOptional()
  @IsString()
  secretEncryptionKeys?: string;

  /** One key that seals secrets: 32 bytes in base64. One of the three settings of keys is required. */
  @IsOptional()
  @IsString()
  secretEncryptionKey?: string;

  /** Another name of SECRET_ENCRYPTION_KEY. */
  @IsOptional()
  @IsString()
  appEncryptionKey?: string;

  /** Exact `host:port` pairs, separated by commas, that may resolve to private addresses. Development only. */
  @IsOptional()
  @ValidateBy(
    { name: 'hostsAndPorts', validator: { validate: areHostsAndPorts } },
    { message: 'must list host:port pairs, such as localhost:9000' },
  )
  egressAllowHosts?: string;

  /** Permits plain http for the hosts of EGRESS_ALLOW_HOSTS. Development only. */
  @IsBoolean({ message: 'must be true or false' })
  egressAllowHttp: boolean = false;

  /** Overrides of the rate limits, such as `signInByClient=100/300`. */
  @IsOptional()
  @IsString()
  rateLimits?: string;

  /** Milliseconds that a request waits in total for a connection and for locks. Migrations wait for less. */
  @IsInt()
  @Min(2_000)
  @Max(10_000)
  lockTimeoutMs: number = 2_000;

  /** Seconds for which the service keeps serving after SIGTERM, until load balancers have removed it. */
  @IsInt()
  @Min(0)
  @Max(60)
  drainDelaySeconds: number = 0;

  /** Seconds that requests in flight then have to finish. */
  @IsInt()
  @Min(1)
  @Max(600)
  drainTimeoutSeconds: number = 30;

  /**
   * Base address of an OpenTelemetry collector that accepts OTLP over HTTP, such as `http://collector:4318`. Unset: no
   * traces.
   */
  @IsOptional()
  @IsUrl(url, { message: 'must be a URL' })
  otelExporterOtlpEndpoint?: string;

  /** Share of the traces that are recorded, 0 to 1. */
  @IsNumber()
  @Min(0)
  @Max(1)
  otelTracesSamplerArg: number = 1;

  /** The product's address for users, without a trailing slash. */
  get baseUrl(): string {
    return (this.publicUrl ?? this.publicAppUrl ?? this.dashboardUrl ?? 'http://localhost:3000').replace(/\/+$/, '');
  }

  /** @throws ConfigError when no key is set */
  get encryptionKeys(): string {
    const keys = this.secretEncryptionKeys ?? this.secretEncryptionKey ?? this.appEncryptionKey;
    if (!keys)
      throw new ConfigError('SECRET_ENCRYPTION_KEY is missing (or APP_ENCRYPTION_KEY, or SECRET_ENCRYPTION_KEYS)');
    return keys;
  }

  /** The name of the setting that {@link encryptionKeys} reads. */
  get encryptionKeySetting(): string {
    if (this.secretEncryptionKeys) return 'SECRET_ENCRYPTION_KEYS';
    return this.secretEncryptionKey || !this.appEncryptionKey ? 'SECRET_ENCRYPTION_KEY' : 'APP_ENCRYPTION_KEY';
  }

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }
}

/** @throws ConfigError for settings that are valid each but contradict each other */
export function checkConfig(config: ServiceConfig): void {
  if (config.isProduction && config.egressAllowHosts)
    throw new ConfigError('EGRESS_ALLOW_HOSTS is for development and refused when NODE_ENV=production');
  if (config.isProduction && config.egressAllowHttp)
    throw new ConfigError('EGRESS_ALLOW_HTTP is for development and refused when NODE_ENV=production');
}
