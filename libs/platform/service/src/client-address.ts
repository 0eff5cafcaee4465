import { isIP } from 'node:net';

/** `::ffff:10.0.0.1` is `10.0.0.1`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The client's address: the peer, unless the peer is a trusted proxy; then X-Forwarded-For from the right, past every
 * trusted proxy (decisions, "client address"). What a client writes into the header itself never counts.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: ReadonlySet<string>): string {
  const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim())).filter(Boolean);
  let address = plain(peer);
  while (trusted.has(address)) {
    const next = hops.pop();
    if (!next || isIP(next) === 0) break;
    address = next;
  }
  return address;
}
