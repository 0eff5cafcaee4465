export * from './branding.dto.ts';
export * from './identity.events.ts';
export * from './tokens/introspection.ts';
export * from './tokens/offline-rules.ts';
export * from './sessions.dto.ts';
export * from './setup-link.dto.ts';
export * from './sign-in.dto.ts';
export * from './sso-attempt.dto.ts';
export * from './sso-provider.dto.ts';
export * from './sso-enforcement.dto.ts';
export * from './sso-login.dto.ts';
export * from './sso-watch.dto.ts';

export * from './users.dto.ts';
export * from './webauthn.dto.ts';
