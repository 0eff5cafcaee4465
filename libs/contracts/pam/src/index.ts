export * from './pam.events.ts';
export * from './vocabulary.ts';
export * from './push.events.ts';
