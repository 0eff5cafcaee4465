export * from './connections/transaction-settings.ts';
export * from './connections/data-source.ts';
export { type OwnConnection, poolOf, RequestConnections } from './connections/connection-pools.ts';
export * from './connections/database-errors.ts';
export * from './folded-name.ts';
export { acrossTenants } from './migrations/across-tenants.ts';
export { Baseline } from './migrations/baseline.ts';
export * from './migrations/migrate.ts';
export * from './outbox.ts';
export { OUTBOX_INSERT } from './outbox.repository.ts';
export * from './connections/platform.entities.ts';
export * from './connections/restricted-role.repository.ts';

export * from './resource-places.repository.ts';
export * from './scoped.ts';
export type { SealedColumn } from './sealed/sealed-column.repository.ts';
export * from './sealed/sealed-secrets.ts';

export * from './migrations/tenant-policy.ts';
export * from './tx.ts';
export * from './unit-of-work.ts';
