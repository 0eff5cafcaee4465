export * from './tenancy.events.ts';
export * from './vocabulary.ts';
