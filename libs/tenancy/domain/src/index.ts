export * from './organization-order.ts';
export * from './organization-status.ts';
export * from './partner-settings.ts';
export * from './contact-import.ts';
export * from './contact-rules.ts';
export * from './effective-configuration.ts';
export * from './merge-plan.ts';
