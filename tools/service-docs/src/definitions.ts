import { addressSettingOf, GATEWAY, type ServiceName, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { loadConfig, Service, type ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { generateKeyPairSync } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../..');

type Definition = ServiceDefinition<ServiceConfig>;

/** Settings that satisfy every service; nothing is connected, so no server listens at these addresses. */
function settingsThatSatisfy(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const known: Record<string, string> = {
    NATS_URL: 'nats://127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
    INTERNAL_IDENTITY_JWKS: '{"keys":[]}',
    INTERNAL_IDENTITY_PRIVATE_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'none' }),
    SECRET_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'silent',
    ...Object.fromEntries(UPSTREAM_NAMES.map((name) => [addressSettingOf(name), 'http://127.0.0.1:1'])),
  };
  return new Proxy(known, {
    get: (settings, name: string) =>
      settings[name] ?? (name.startsWith('DATABASE_URL_') ? 'postgres://none:none@127.0.0.1:1/none' : undefined),
  });
}

const moduleOf = (service: ServiceName, file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(REPOSITORY, 'apps', service, 'dist', file)).href) as Promise<Record<string, unknown>>;

const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && 'module' in value && 'config' in value;

/** @throws Error for a service whose `service.ts` exports no definition */
export async function definitionOf(service: ServiceName): Promise<Definition> {
  const definition = Object.values(await moduleOf(service, 'service.js')).find(isDefinition);
  if (!definition) throw new Error(`apps/${service}/src/service.ts exports no service definition`);
  return definition;
}

/** A row of the gateway's routing table. */
export interface GatewayRoute {
  readonly path: string;
  readonly upstream: string;
  readonly credential: string;
  readonly bodyLimit?: number;
}

export async function gatewayRoutes(): Promise<readonly GatewayRoute[]> {
  const { ROUTES } = await moduleOf(GATEWAY.name, 'routes.js');
  return ROUTES as readonly GatewayRoute[];
}

/** A metric that a service registers. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

/** The product's own metrics of a service, without those of Node. */
export async function metricsOf(definition: Definition): Promise<readonly Metric[]> {
  const service = await Service.create(definition, loadConfig(definition.config, settingsThatSatisfy()));
  const all = service.platform.metrics.registry.getMetricsAsArray() as object[] as Metric[];
  return all.filter(({ name }) => name.startsWith('gatehouse_')).sort((a, b) => (a.name < b.name ? -1 : 1));
}
