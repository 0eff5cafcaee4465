export * from './device-command.ts';
export * from './pam-database.ts';
export * from './pam-read-models.module.ts';
export * from './rulebook-versions.ts';
