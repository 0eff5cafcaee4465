import { isIP } from 'node:net';
import { EgressError } from './egress-error.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };
const MAX_URL_LENGTH = 2_000;

export interface Allowances {
  /** Exact `host:port` pairs that may be private addresses and literals. */
  readonly hosts: ReadonlySet<string>;
  /** Those hosts may be reached over plain http. */
  readonly http: boolean;
}

/** @param setting the value of EGRESS_ALLOW_HOSTS: `host:port` pairs parted by commas */
export function allowancesFrom(setting: string | undefined, http: boolean): Allowances {
  return { hosts: new Set((setting ?? '').split(',').map((pair) => pair.trim().toLowerCase()).filter(Boolean)), http };
}

export const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

const refuse = (reason: string): never => {
  throw new EgressError('address_refused', reason);
};

/** `[::1]` is written with brackets in a URL. */
const isLiteral = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/**
 * What can be said about an address without resolving its name. The URL parser has already brought every spelling of an
 * IPv4 literal (decimal, octal, hexadecimal, full-width digits) into dotted form.
 * @throws EgressError address_refused
 */
export function checkTarget(address: string, allowances: Allowances): URL {
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address)) return refuse('not a URL');
  const url = new URL(address);
  const allowed = allowances.hosts.has(hostAndPort(url));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed && allowances.http)) refuse('not an https address');
  if (url.username || url.password) refuse('the address carries credentials');
  if (allowed) return url;
  if (isLiteral(url.hostname)) refuse('the host is an IP address, not a name');
  if (!url.hostname.includes('.') || url.hostname === 'localhost' || /\.(localhost|local|internal)\.?$/.test(url.hostname)) refuse('the host is not a public name');
  return url;
}
