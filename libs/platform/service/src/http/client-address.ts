import { BlockList, isIP } from 'node:net';

/** Unmaps an IPv4-mapped IPv6 address: `::ffff:10.0.0.1` becomes `10.0.0.1`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The proxies whose X-Forwarded-For header the service trusts. */
export class TrustedProxies {
  private readonly list = new BlockList();
  private isEmpty = true;
  private count = 0;

  /**
   * @param setting addresses and networks, separated by commas: `10.0.0.7, 10.42.0.0/16, ::1`. Or the number of
   * proxies, whatever their addresses, where the network lets no other party reach the service: `1`
   * @throws Error that names the entry that is none of these
   */
  static parse(setting: string | undefined): TrustedProxies {
    const proxies = new TrustedProxies();
    for (const entry of (setting ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean))
      proxies.add(entry);
    return proxies;
  }

  /** @param nearer how many proxies stand between this address and the service */
  has(address: string, nearer: number): boolean {
    if (isIP(address) === 0) return false;
    return nearer < this.count || (!this.isEmpty && this.list.check(address, familyOf(address)));
  }

  private add(entry: string): void {
    if (/^[1-9]$/.test(entry)) this.count = Number(entry);
    else this.addNetwork(entry);
  }

  private addNetwork(entry: string): void {
    const [address = '', prefix, ...rest] = entry.split('/');
    const bits = familyOf(address) === 'ipv6' ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (
      isIP(address) === 0 ||
      rest.length > 0 ||
      prefix === '' ||
      !Number.isInteger(length) ||
      length < 0 ||
      length > bits
    )
      throw new Error(`"${entry}" is neither an address, a network, nor a number from 1 to 9`);
    this.list.addSubnet(address, length, familyOf(address));
    this.isEmpty = false;
  }
}

/**
 * The client's address: the peer, unless the peer is a trusted proxy. Then X-Forwarded-For is read from the right, past
 * every trusted proxy (decisions, "client address"). Entries that the client itself wrote into the header are ignored.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: TrustedProxies): string {
  const hops = (forwardedFor ?? '')
    .split(',')
    .map((hop) => plain(hop.trim()))
    .filter(Boolean);
  let address = plain(peer);
  for (let nearer = 0; trusted.has(address, nearer); nearer++) {
    const next = hops.pop();
    if (!next || isIP(next) === 0) break;
    address = next;
  }
  return address;
}
