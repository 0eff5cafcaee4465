import type { DatabaseDefinition } from '@gatehouse/database';
import { AuditLog1800000000201 } from './migrations/1800000000201-audit-log.ts';

export const auditDatabase: DatabaseDefinition = { name: 'audit', entities: [], migrations: [AuditLog1800000000201] };
