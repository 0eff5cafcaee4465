import { isIP } from 'node:net';

/** The /64 prefix is one link; a single host may use all of its 2^64 addresses (RFC 4291 2.5.1, RFC 8981). */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const MAPPED_IPV4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * The key under which limits count a client address: the /64 of an IPv6 address, the whole of an IPv4 address in either
 * notation. Text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [, high, low] = MAPPED_IPV4.exec(hostname) ?? [];
  if (high && low) return ipv4Of(parseInt(high, 16), parseInt(low, 16));
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const left = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return `${[...head, ...left, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
