export * from './metrics.ts';
export * from './open-tracing.ts';
export type * from './tracing.ts';
