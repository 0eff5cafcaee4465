import { ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { type LookupAddress, promises, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { EgressError } from './egress-target.ts';
import type { PrivatePlaces } from './private-places.ts';

/** The only IPv6 block that is routed on the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Blocks inside it that are not public: documentation, and all of the special-purpose 2001::/23. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) => ipaddr.IPv6.parseCIDR(block));

/**
 * Whether an address belongs to the public internet. The check uses the parsed address, so no notation of a private
 * address passes. Addresses that embed an IPv4 address (mapped, 6to4, NAT64) are always refused.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST) && !SPECIAL.some((block) => parsed.match(block));
}

const DNS_TRY_MS = 1_500;

/** @param servers comma-separated `address:port` pairs; undefined: the system's servers */
export function resolverFor(servers: string | undefined): promises.Resolver {
  const resolver = new promises.Resolver({ timeout: DNS_TRY_MS, tries: 2 });
  if (servers) resolver.setServers(servers.split(',').map((server) => server.trim()));
  return resolver;
}

const NO_SUCH_RECORD = new Set(['ENODATA', 'ENOTFOUND']);
const orNone = (error: NodeJS.ErrnoException): string[] => {
  if (NO_SUCH_RECORD.has(error.code ?? '')) return [];
  throw error;
};

/** Whether a connection to the host may lead to the address: a public one, or one that the installation opened. */
export const mayLeadTo = (hostname: string, address: string, privatePlaces: PrivatePlaces): boolean =>
  isPublicAddress(address) || privatePlaces.admits(hostname, address);

/**
 * Resolves all addresses of a name. A name with any address that may not be reached is refused.
 * @throws EgressError unreachable, address_refused
 */
export async function vettedAddressesOf(
  hostname: string,
  resolver: promises.Resolver,
  privatePlaces: PrivatePlaces,
): Promise<LookupAddress[]> {
  const answers = await Promise.all([
    resolver.resolve4(hostname).catch(orNone),
    resolver.resolve6(hostname).catch(orNone),
  ]).catch((cause: unknown) => {
    throw new EgressError('unreachable', `${hostname} cannot be resolved`, { cause });
  });
  const addresses = answers.flat();
  if (addresses.length === 0) throw new EgressError('unreachable', `${hostname} has no address`);
  if (!addresses.every((address) => mayLeadTo(hostname, address, privatePlaces)))
    throw new EgressError('address_refused', `${hostname} leads to a private address`);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/**
 * The `lookup` of a connection: the socket connects to the very addresses that were checked, so a DNS answer that
 * changes between check and use has no effect. c-ares resolves the name, so a slow name server blocks no thread.
 */
export const vettedLookup =
  (resolver: promises.Resolver, privatePlaces: PrivatePlaces): LookupFunction =>
  (hostname, options, callback) => {
    vettedAddressesOf(hostname, resolver, privatePlaces).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };

export const unvettedLookup: LookupFunction = (hostname, options, callback) =>
  systemLookup(hostname, options, callback);

function areDnsServers(setting: unknown): boolean {
  try {
    return typeof setting === 'string' && resolverFor(setting).getServers().length > 0;
  } catch {
    return false;
  }
}

/**
 * Requires that a setting lists name servers as {@link resolverFor} takes them: by address, because no other server
 * resolves their names.
 */
export const DnsServers = (): PropertyDecorator =>
  ValidateBy(
    { name: 'dnsServers', validator: { validate: areDnsServers } },
    { message: 'must list addresses of name servers, such as 10.0.0.10:53' },
  );
