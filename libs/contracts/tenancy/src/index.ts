export * from './device.dto.ts';
export * from './enrollment-key.dto.ts';
export * from './fields.ts';
export * from './organization.dto.ts';
export * from './partner.dto.ts';
export * from './site.dto.ts';
export * from './tenancy.events.ts';
export * from './vocabulary.ts';
