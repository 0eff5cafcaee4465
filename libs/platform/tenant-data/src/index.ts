export * from './tenant-tasks.repository.ts';
export * from './perform-step.ts';
export * from './tenant-data.events.ts';
export * from './tenant-tasks.ts';
export * from './tenant-rows.repository.ts';
export * from './tenant-tasks-schema.ts';
export * from './tenant-refs.repository.ts';
