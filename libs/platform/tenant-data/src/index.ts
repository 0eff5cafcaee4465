export * from './tenant-task.entities.ts';
export * from './perform-step.ts';
export * from './tenant-data.events.ts';
export * from './tenant-data.module.ts';
export * from './tenant-table.ts';
export * from './undeclared-tables.repository.ts';
export * from './tenant-tasks.ts';
export * from './tenant-tasks-schema.ts';
