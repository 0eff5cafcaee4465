export { testDatabase, type TestDatabase, testServers } from './backing.ts';
export * from './fault-proxy.ts';
export * from './pooler/pooled-product.ts';
export * from './principals.ts';
export * from './step-owner.ts';
export * from './stopwatch.ts';
export * from './test-broker.ts';
export * from './test-service.ts';
export * from './fake-dns.ts';
