export * from './metrics.ts';
export type * from './tracing.ts';
