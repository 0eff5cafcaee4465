export * from './key-ring.ts';
export * from './tokens.ts';
