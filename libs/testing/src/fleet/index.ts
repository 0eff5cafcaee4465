export * from './balancer.ts';
export * from './fleet.ts';
export * from './replica.ts';
