import ipaddr from 'ipaddr.js';

/** The only IPv6 block that is routed on the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Blocks inside it that lead elsewhere: documentation, and all of the special-purpose 2001::/23. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) => ipaddr.IPv6.parseCIDR(block));

/**
 * Whether an address belongs to the public internet. Judged on the parsed address, so no spelling of a private one
 * passes;
 * forms that carry an IPv4 address inside (mapped, 6to4, NAT64) are refused as a whole.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST) && !SPECIAL.some((block) => parsed.match(block));
}
