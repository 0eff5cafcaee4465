export { DnsServers } from './dns-servers.ts';
export * from './egress.ts';
export * from './egress-error.ts';
export { allowancesFrom, checkTarget, type Allowances } from './egress-target.ts';
export { PrivatePlaces } from './private-places.ts';
export { isPublicAddress } from './public-address.ts';
export { resolverFor } from './vetted-lookup.ts';
