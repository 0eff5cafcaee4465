export { DnsServers, isPublicAddress, resolverFor } from './vetted-lookup.ts';
export * from './egress.ts';
export { type EgressFault, EgressError, tooLarge } from './egress-target.ts';
export { allowancesFrom, checkTarget, type Allowances } from './egress-target.ts';
export { PrivatePlaces } from './private-places.ts';
