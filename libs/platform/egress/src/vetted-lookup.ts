import { lookup as systemLookup, promises, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';

const DNS_TRY_MS = 1_500;

/** @param servers `address:port` pairs parted by commas; undefined: the system's */
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

/**
 * All addresses of a name, none of which may be private: a name that also leads inside is not trusted at all.
 * @throws EgressError unreachable, address_refused
 */
export async function publicAddressesOf(hostname: string, resolver: promises.Resolver): Promise<LookupAddress[]> {
  const answers = await Promise.all([
    resolver.resolve4(hostname).catch(orNone),
    resolver.resolve6(hostname).catch(orNone),
  ]).catch((cause: unknown) => {
    throw new EgressError('unreachable', `${hostname} cannot be resolved`, { cause });
  });
  const addresses = answers.flat();
  if (addresses.length === 0) throw new EgressError('unreachable', `${hostname} has no address`);
  if (!addresses.every(isPublicAddress))
    throw new EgressError('address_refused', `${hostname} leads to a private address`);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/**
 * The `lookup` of a connection: the socket connects to the very addresses that were judged, so a name whose answer
 * changes
 * between check and use gains nothing. Resolution is by c-ares: a hanging name server holds up no thread.
 */
export const vettedLookup =
  (resolver: promises.Resolver): LookupFunction =>
  (hostname, options, callback) => {
    publicAddressesOf(hostname, resolver).then(
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
