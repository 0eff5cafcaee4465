import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { RedisPlace } from '@gatehouse/rate-limit';
import { ConfigError } from './config.ts';

/** Where a store is, and which authority must have signed its certificate. */
export interface StoreAddress {
  readonly url: string;
  /** The file with the certificates of the authority; undefined: the public authorities. */
  readonly caFile?: string;
}

/** The settings that name the stores. Migrations have no Redis, and the gateway has no database. */
export interface StoreSettings {
  readonly isProduction: boolean;
  readonly plainTextStores?: string;
  readonly databaseCaFile?: string;
  readonly natsCaFile?: string;
  readonly redisCaFile?: string;
  readonly redisSentinels?: string;
  readonly redisSentinelPassword?: string;
}

/** PostgreSQL alone may be on a socket of this machine. */
const FORMS = { postgres: /^postgres(ql)?:\/\//, nats: /^(nats|tls):\/\/[^/]/ };
const VERIFYING_MODES = new Set(['prefer', 'require', 'verify-ca', 'verify-full']);
const WITHOUT_TLS = new Set(['disable', 'no-verify']);
/** A name without a dot, or of this machine or cluster: what is sent there stays on the installation's own network. */
const OWN_NETWORK = /^(\[::1\]|127(\.\d+){3}|[^.:]*|.*\.svc(\.cluster\.local)?)$/;

/** @throws ConfigError that names the setting, and does not show its value: it holds a password */
function addressIn(setting: string, text: string, kind: keyof typeof FORMS): URL {
  if (!FORMS[kind].test(text) || !URL.canParse(text)) throw new ConfigError(`${setting} must be a ${kind}:// address`);
  return new URL(text);
}

/** @throws ConfigError when the file cannot be read or holds no certificate */
function requireAuthority(setting: string, file: string): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  try {
    new X509Certificate(text);
  } catch {
    throw new ConfigError(`${setting}: ${file} holds no certificate in PEM`);
  }
}

/** @throws ConfigError for a place outside the installation that PLAIN_TEXT_STORES does not list */
function requireOwnNetwork(setting: string, url: URL, { isProduction, plainTextStores = '' }: StoreSettings): void {
  const host = url.hostname.toLowerCase();
  const allowed = plainTextStores.split(',').map((entry) => entry.trim().toLowerCase());
  if (!isProduction || OWN_NETWORK.test(host) || allowed.includes(host)) return;
  throw new ConfigError(
    `${setting} leads to ${host} without TLS, which production refuses: turn TLS on, or list ${host} in PLAIN_TEXT_STORES`,
  );
}

/**
 * The address of a database. With DATABASE_CA_FILE the server must present a certificate of that authority for its
 * name; client certificates are named in the address itself (`sslcert`, `sslkey`).
 * @param setting the name of the setting, for the message
 * @throws ConfigError
 */
export function databaseAddress(setting: string, address: string, settings: StoreSettings): string {
  const url = addressIn(setting, address, 'postgres');
  const mode = url.searchParams.get('sslmode');
  const { databaseCaFile } = settings;
  if (databaseCaFile) {
    if (mode !== null && WITHOUT_TLS.has(mode))
      throw new ConfigError(`${setting} says sslmode=${mode}, although DATABASE_CA_FILE is set`);
    requireAuthority('DATABASE_CA_FILE', databaseCaFile);
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', databaseCaFile);
    return url.href;
  }
  // A mode that is written down is explicit. The driver verifies in all modes of libpq that use TLS.
  if (mode !== null && WITHOUT_TLS.has(mode)) return address;
  if (mode !== null && !VERIFYING_MODES.has(mode)) throw new ConfigError(`${setting} has an unknown sslmode: ${mode}`);
  if (mode === null) requireOwnNetwork(setting, url, settings);
  return address;
}

/**
 * The address of the broker, or several, separated by commas.
 * @throws ConfigError
 */
export function natsAddress(setting: string, url: string, settings: StoreSettings): StoreAddress {
  const servers = url.split(',').map((address) => addressIn(setting, address.trim(), 'nats'));
  const { natsCaFile: caFile } = settings;
  if (caFile) requireAuthority('NATS_CA_FILE', caFile);
  for (const server of servers) {
    const isEncrypted = caFile !== undefined || server.protocol === 'tls:';
    if (!isEncrypted) requireOwnNetwork(setting, server, settings);
    // The client compares a certificate with names alone.
    else if (isIP(server.hostname.replace(/^\[|\]$/g, '')) !== 0)
      throw new ConfigError(`${setting} needs the name of the server, not its address, to verify its certificate`);
  }
  return { url, caFile };
}

const SENTINEL = /^([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i;

/** @throws ConfigError for an entry that is no host with a port */
function sentinelsIn(setting: string): NonNullable<RedisPlace['sentinels']> {
  return setting.split(',').map((entry) => {
    const [, host, port] = SENTINEL.exec(entry.trim()) ?? [];
    if (host === undefined) throw new ConfigError(`REDIS_SENTINELS needs host:port, not "${entry.trim()}"`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}

/**
 * The address of Redis. With REDIS_SENTINELS its host is the name of the group of servers, and the Sentinels say where
 * the master is.
 * @throws ConfigError
 */
export function redisAddress(url: string, settings: StoreSettings): StoreAddress & RedisPlace {
  const { redisCaFile: caFile, redisSentinels, redisSentinelPassword: sentinelPassword } = settings;
  const sentinels = redisSentinels ? sentinelsIn(redisSentinels) : undefined;
  if (caFile) requireAuthority('REDIS_CA_FILE', caFile);
  else if (!url.startsWith('rediss:'))
    for (const address of sentinels
      ? (redisSentinels ?? '').split(',').map((place) => `redis://${place.trim()}`)
      : [url])
      requireOwnNetwork(sentinels ? 'REDIS_SENTINELS' : 'REDIS_URL', new URL(address), settings);
  return { url, caFile, sentinels, sentinelPassword };
}
