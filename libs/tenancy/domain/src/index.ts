export * from './hierarchy.ts';
export * from './contact-import.ts';
export * from './effective-configuration.ts';
export * from './merge-plan.ts';
export * from './custom-field-value.ts';
export * from './exit-codes.ts';
export * from './serial-number.ts';
