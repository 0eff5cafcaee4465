import { runMigrations } from '@gatehouse/service';
import { auditDatabase } from './database.ts';

await runMigrations(auditDatabase, process.env);
