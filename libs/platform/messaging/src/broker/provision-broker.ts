import { setTimeout as wait } from 'node:timers/promises';
import {
  AckPolicy,
  connect,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  NatsError,
  type NatsConnection,
} from 'nats';
import { ensureStreams, hasVersion, kindOf, streamOf } from '../catalogue/streams.ts';
import { TRAFFIC } from '../catalogue/traffic.ts';

export interface BrokerAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Present: the client gives up on a server that offers no TLS. */
  readonly tls?: { readonly caFile?: string };
}

/**
 * Parses NATS_URL: one address, or several separated by commas. Credentials are removed from the address, because the
 * client takes the first digits after a colon for the port, and a password may begin with digits.
 * @param caFile the authority that must have signed the server's certificate; turns TLS on, as `tls://` does
 */
export function brokerAddress(natsUrl: string, caFile?: string): BrokerAddress {
  const [first, ...others] = natsUrl.split(',').map((address) => new URL(address.trim()));
  if (first === undefined) throw new Error('NATS_URL is empty');
  const servers = [first, ...others].map(({ host }) => host);
  const isEncrypted = caFile !== undefined || first.protocol === 'tls:';
  return { servers, ...loginIn(first), ...(isEncrypted && { tls: { caFile } }) };
}

function loginIn(first: URL): Omit<BrokerAddress, 'servers'> {
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  if (!user) return {};
  return pass ? { user, pass } : { token: user };
}

/** The version before adds its consumers itself, and cannot start beside one with another value. */
const ACK_WAIT_NANOSECONDS = 30 * 1e9;
const MAX_UNACKNOWLEDGED = 2_000;
const CONSUMER_NOT_FOUND = 10014;
const TIMEOUT_MS = 5_000;
const LOOK_MS = 2_000;
const RETRY_MS = 500;
/** As in a service: the connection to a silent broker is ended. */
const CONNECTION = { timeout: 3_000, pingInterval: 5_000, maxPingOut: 2, reconnect: false };
/** Older servers accept only one filter per consumer. */
const KNOWS_FILTERS = /^(2\.[1-9]\d|[3-9]|\d\d)/;

/** Every version of an event, because an unknown version must not be lost. */
const filterOf = (subject: string): string => (hasVersion(subject) ? `${kindOf(subject)}.*` : subject);

interface Durable {
  readonly stream: string;
  readonly config: Partial<ConsumerConfig> & { durable_name: string };
}

function durablesOf(
  [service, { consumes }]: [string, { readonly consumes: readonly string[] }],
  withFilters: boolean,
): Durable[] {
  const streams = [...new Set(consumes.map((subject) => streamOf(subject).name))];
  return streams.map((stream) => ({
    stream,
    config: {
      durable_name: service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_NANOSECONDS,
      max_ack_pending: MAX_UNACKNOWLEDGED,
      ...(withFilters && {
        filter_subjects: consumes
          .filter((subject) => streamOf(subject).name === stream)
          .map(filterOf)
          .sort(),
      }),
    },
  }));
}

const filtersIn = ({ filter_subjects, filter_subject }: ConsumerConfig): string =>
  (filter_subjects ?? (filter_subject ? [filter_subject] : [])).toSorted().join();

async function ensureDurable({ consumers }: JetStreamManager, { stream, config }: Durable): Promise<void> {
  try {
    const { config: current } = await consumers.info(stream, config.durable_name);
    if (config.filter_subjects && filtersIn(current) !== config.filter_subjects.join())
      await consumers.update(stream, config.durable_name, config);
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== CONSUMER_NOT_FOUND) throw error;
    await consumers.add(stream, config);
  }
}

export interface Provisioning {
  /** Replicas of each stream; 1 by default. */
  readonly replicas?: number;
  /** What all streams may hold together. */
  readonly bytes?: number;
  /**
   * Whether a consumer receives only the subjects that its service consumes. Earlier releases cannot consume from such
   * a consumer, and the filter is never removed again: set it only when no earlier release runs or may be rolled back
   * to.
   */
  readonly filtered: boolean;
  /** File with the authority of the broker's certificate; turns TLS on. */
  readonly caFile?: string;
}

async function ensureAll(connection: NatsConnection, { replicas = 1, bytes, filtered }: Provisioning): Promise<void> {
  const manager = await connection.jetstreamManager({ timeout: TIMEOUT_MS });
  await ensureStreams(manager, { replicas, bytes });
  const durables = Object.entries(TRAFFIC).flatMap((entry) =>
    durablesOf(entry, filtered && KNOWS_FILTERS.test(connection.info?.version ?? '')),
  );
  for (const durable of durables) await ensureDurable(manager, durable);
}

/**
 * Creates the missing streams and the consumers of every service. Idempotent.
 * @param url of the broker's administrator
 * @throws Error when the broker cannot be reached or refuses
 */
export async function provisionBroker(url: string, provisioning: Provisioning): Promise<void> {
  const connection = await connect({ ...brokerAddress(url, provisioning.caFile), timeout: TIMEOUT_MS });
  try {
    await ensureAll(connection, provisioning);
  } finally {
    await connection.close();
  }
}

interface Keeping {
  readonly end: AbortSignal;
  /** Called at the first of several consecutive failures. */
  readonly report: (error: unknown) => void;
  readonly everyMs?: number;
}

/**
 * Provisions the broker now and then periodically, in case it loses its store, until `end` aborts. Retries while the
 * broker is unavailable.
 */
export async function keepProvisioned(url: string, { end, report, everyMs = LOOK_MS }: Keeping): Promise<void> {
  const ended = new Promise<void>((resolve) => end.addEventListener('abort', () => resolve()));
  let connection: NatsConnection | null = null;
  let failing = false;
  while (!end.aborted) {
    try {
      if (connection === null || connection.isClosed())
        connection = await connect({ ...brokerAddress(url), ...CONNECTION });
      await ensureAll(connection, { filtered: true });
      failing = false;
    } catch (error) {
      if (!failing) report(error);
      failing = true;
      await connection?.close();
      connection = null;
    }
    await Promise.race([ended, wait(failing ? RETRY_MS : everyMs, undefined, { ref: false })]);
  }
  await connection?.close();
}
