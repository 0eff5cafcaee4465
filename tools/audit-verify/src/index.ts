export * from './verify-export.ts';
