export * from './hierarchy.ts';
export * from './contact-import.ts';
export * from './effective-configuration.ts';
export * from './merge-plan.ts';
export * from './definitions.ts';
export * from './serial-number.ts';
