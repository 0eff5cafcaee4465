export * from './access.ts';
export * from './access-guard.ts';
export * from './agent-authenticator.ts';
export * from './current-caller.ts';
export * from './internal-identity.ts';
export * from './verify-declarations.ts';
