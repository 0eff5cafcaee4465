export * from './tenant-task.entities.ts';
export * from './perform-step.ts';
export * from './tenant-data.events.ts';
export * from './tenant-data.module.ts';
export type {
  Override,
  MergedOrganizations,
  MergeQuestion,
  TenantTable,
  Remarks,
  TenantRegistry,
} from './tenant-rows.repository.ts';
export * from './undeclared-tables.repository.ts';
export * from './tenant-tasks.ts';
export * from './tenant-tasks-schema.ts';
