export * from './canonical-json.ts';
export * from './key-ring.ts';
