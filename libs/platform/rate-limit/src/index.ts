export * from './rate-limiter.ts';
export * from './limits.ts';
export * from './redis-connection.ts';
export * from './concurrency-limiter.ts';
export * from './connection-shares.ts';
