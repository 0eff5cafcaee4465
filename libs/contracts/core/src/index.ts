export * from './audit/audit.ts';
export * from './audit/audit-actions.ts';
export * from './caller.ts';
export * from './services.ts';

export * from './versions/entity-tags.ts';
export * from './error-codes.ts';
export * from './event.ts';
export { type FieldOptions, Known } from './fields/field.ts';
export * from './fields/fields.ts';
export * from './fields/text-fields.ts';
export * from './fields/folded-name.ts';
export * from './fields/members.ts';

export * from './fields/pagination.ts';
export * from './permissions.ts';

export * from './fields/queries.ts';
export * from './problem-error.ts';
export * from './problem.dto.ts';
