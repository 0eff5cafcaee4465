export * from './access-guard.ts';
export * from './internal-identity.ts';
export * from './verify-declarations.ts';
