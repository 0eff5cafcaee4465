import { isIP } from 'node:net';
import { PrivatePlaces } from './private-places.ts';

export const EGRESS_FAULTS = [
  'address_refused',
  'unreachable',
  'timeout',
  'too_large',
  'redirected',
  'busy',
  'malformed',
] as const;
export type EgressFault = (typeof EGRESS_FAULTS)[number];

/** An outbound request that was not made, or whose answer cannot be used. The message is for logs, not for clients. */
export class EgressError extends Error {
  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EgressError';
  }
}

export const tooLarge = (maxBytes: number, cause?: unknown): EgressError =>
  new EgressError('too_large', `the answer is larger than ${maxBytes} bytes`, { cause });

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };
const MAX_URL_LENGTH = 2_000;

export interface Allowances {
  /** Exact `host:port` pairs that may be private addresses and literals. */
  readonly hosts: ReadonlySet<string>;
  /** Whether those hosts may be reached over plain http. */
  readonly http: boolean;
  /** Private hosts and networks that may be reached over https. */
  readonly privatePlaces: PrivatePlaces;
}

/**
 * @param setting the value of EGRESS_ALLOW_HOSTS: comma-separated `host:port` pairs
 * @param http the value of EGRESS_ALLOW_HTTP
 */
export function allowancesFrom(
  setting: string | undefined,
  http: boolean,
  privatePlaces = PrivatePlaces.from(undefined),
): Allowances {
  return {
    privatePlaces,
    hosts: new Set(
      (setting ?? '')
        .split(',')
        .map((pair) => pair.trim().toLowerCase())
        .filter(Boolean),
    ),
    http,
  };
}

const MIN_FREE_PORT = 1_024;
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/**
 * The ports from 1024 of services that are no web servers, or that answer to their own programs only: those that
 * browsers refuse, data stores, brokers, remote access, container and cluster control.
 */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[1080, 1194, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 2525, 3128, 3260],
  ...[3268, 3269, 3306, 3389, 3659, 4045, 4190, 4222, 4369, 5060, 5061, 5222, 5269, 5432, 5671, 5672, 5900, 5901],
  ...[5984, 5985, 5986, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7199, 8086],
  ...[8125, 8300, 8301, 8302, 8500, 8883, 9042, 9092, 9093, 9100, 9160, 9200, 9300, 10080, 10250, 10255, 11211],
  ...[15672, 25672, 26257, 27017, 27018, 27019, 50000, 61613, 61616],
]);

/** Whether a web server may be expected at the port of an address (SSO-86). */
export function isWebPort(url: URL): boolean {
  const port = Number(url.port || (DEFAULT_PORTS[url.protocol] ?? 0));
  return WEB_PORTS.has(port) || (port >= MIN_FREE_PORT && !SERVICE_PORTS.has(port));
}

export const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

const LOOPBACK_NAME = /(^|\.)localhost\.?$/;
const LOCAL_NAME = /^[^.]+$|\.(local|internal)\.?$/;

/** `[::1]` is written with brackets in a URL. */
const isLiteral = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Local names are resolved where the installation opened private places for them. */
const isPublicName = (hostname: string, privatePlaces: PrivatePlaces): boolean =>
  !LOOPBACK_NAME.test(hostname) && (!LOCAL_NAME.test(hostname) || privatePlaces.admitsName(hostname));

/** The first rule that an address breaks which the operator did not open, or null. */
function publicFaultIn(url: URL, privatePlaces: PrivatePlaces): string | null {
  if (!isWebPort(url) && !privatePlaces.names(url.hostname)) return 'its port belongs to another service';
  if (isLiteral(url.hostname)) return 'its host is an IP address, not a name';
  return isPublicName(url.hostname, privatePlaces) ? null : 'its host is not a public name';
}

/** The first rule that the address breaks, or null. */
function faultIn(url: URL, { http, privatePlaces }: Allowances, allowed: boolean): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed && http)) return 'it is not an https address';
  if (url.username || url.password) return 'it carries credentials';
  return allowed ? null : publicFaultIn(url, privatePlaces);
}

/** Does not call `URL.canParse` first, which would parse the address twice. */
function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/**
 * Checks an address without resolving its name. The URL parser has already normalised every notation of an IPv4 literal
 * (decimal, octal, hexadecimal, full-width digits) to dotted form.
 * @throws EgressError address_refused
 */
export function checkTarget(address: string, allowances: Allowances): URL {
  const url = address.length <= MAX_URL_LENGTH ? parsed(address) : null;
  const fault = url ? faultIn(url, allowances, allowances.hosts.has(hostAndPort(url))) : 'it is not a URL';
  if (!url || fault) throw new EgressError('address_refused', `the address is refused: ${fault}`);
  return url;
}
