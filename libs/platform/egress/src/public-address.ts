import ipaddr from 'ipaddr.js';

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
