import { KeyMissing } from '@gatehouse/crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, loadConfig } from './config/config.ts';
import { checkConfig, type ServiceConfig } from './config/service.config.ts';
import type { Logger } from './observability/logging.ts';
import type { Platform } from './platform.ts';
import { Service, type ServiceDefinition } from './service.ts';
import { partsReader } from './service-metrics.ts';

interface Readiness {
  ready: boolean;
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * Serves health and metrics on a separate port, to which the gateway routes nothing. The service tells which of its
 * parts it reaches, and stays ready without them: no replica would be left if they all had lost the database.
 */
async function serveAdmin(platform: Platform, readiness: Readiness): Promise<{ server: Server; port: number }> {
  const { config } = platform;
  const readParts = partsReader(platform);
  const ready = async (response: ServerResponse): Promise<void> => {
    const parts = await readParts();
    answer(response, readiness.ready ? 200 : 503, { status: readiness.ready ? 'ok' : 'not ready', parts });
  };
  const server = createServer((request, response) => {
    if (request.url === '/health/live') return answer(response, 200, { status: 'ok' });
    if (request.url === '/health/ready') return void ready(response);
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

/** Errors that the operator can correct; their message suffices without a stack trace. */
const isPlain = (error: unknown): boolean =>
  error instanceof ConfigError ||
  error instanceof KeyMissing ||
  (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');

function refuseToStart(name: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = isPlain(error) ? '' : `\n${error instanceof Error ? (error.stack ?? '') : ''}`;
  process.stderr.write(`${name} cannot start: ${reason}${detail}\n`);
  process.exit(1);
}

function configOf<C extends ServiceConfig>(definition: ServiceDefinition<C>, environment: NodeJS.ProcessEnv): C {
  const config = loadConfig(definition.config, environment);
  checkConfig(config);
  return config;
}

/**
 * Runs a service as a process until SIGTERM or SIGINT: drains, publishes the rest of the outbox, exits with 0. The
 * deadline or a second Ctrl-C ends the process with 1.
 */
export async function startService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const readiness = { ready: false };
  try {
    const config = configOf(definition, environment);
    const service = await Service.create(definition, config);
    logWarnings(service.platform.log);
    const admin = await serveAdmin(service.platform, readiness);
    await service.start();
    const url = await service.listen();
    readiness.ready = true;
    service.platform.log.info({ url, adminPort: admin.port }, 'ready');
    stopOnSignal(service, readiness, () => admin.server.close());
  } catch (error) {
    refuseToStart(definition.name, error);
  }
}

/** Logs node's warnings as JSON lines; by default node writes them to stderr as plain text. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning').on('warning', (warning) => log.warn({ err: warning }, 'node warns'));
}

function stopOnSignal(service: Service, readiness: { ready: boolean }, closeAdmin: () => void): void {
  const { log } = service.platform;
  const { drainDelaySeconds, drainTimeoutSeconds } = service.config;
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // A platform may send SIGTERM more than once; a repetition must not drop requests in flight.
    if (stopping && signal === 'SIGTERM') return;
    if (stopping) process.exit(1);
    stopping = true;
    readiness.ready = false;
    service.beginDraining();
    log.info({ signal }, 'draining');
    setTimeout(() => process.exit(1), (drainDelaySeconds + drainTimeoutSeconds) * 1000).unref();
    await wait(drainDelaySeconds * 1000);
    await service.stop();
    closeAdmin();
    log.info({}, 'stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}
