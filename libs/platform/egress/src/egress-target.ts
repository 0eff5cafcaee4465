import { isIP } from 'node:net';
import { EgressError } from './egress-error.ts';
import { PrivatePlaces } from './private-places.ts';

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

export const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

const LOOPBACK_NAME = /(^|\.)localhost\.?$/;
const LOCAL_NAME = /^[^.]+$|\.(local|internal)\.?$/;

/** `[::1]` is written with brackets in a URL. */
const isLiteral = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Local names are resolved where the installation opened private places for them. */
const isPublicName = (hostname: string, privatePlaces: PrivatePlaces): boolean =>
  !LOOPBACK_NAME.test(hostname) && (!LOCAL_NAME.test(hostname) || privatePlaces.admitsName(hostname));

/** The first rule that the address breaks, or null. */
function faultIn(url: URL, { http, privatePlaces }: Allowances, allowed: boolean): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed && http)) return 'it is not an https address';
  if (url.username || url.password) return 'it carries credentials';
  if (allowed) return null;
  if (isLiteral(url.hostname)) return 'its host is an IP address, not a name';
  return isPublicName(url.hostname, privatePlaces) ? null : 'its host is not a public name';
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
