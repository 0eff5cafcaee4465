export * from './identity.events.ts';
export * from './introspection.ts';
