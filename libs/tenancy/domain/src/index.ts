export * from './organization-order.ts';
export * from './organization-status.ts';
export * from './partner-settings.ts';
