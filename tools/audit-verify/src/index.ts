export * from './verify-export.ts';
export type { ChainReport } from './chain-walk.ts';
export type { CheckpointFile, KeySet } from './chain-walk.ts';
