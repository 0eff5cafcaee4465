import { runMigrations } from '@gatehouse/service';
import { auditDatabase } from './database.ts';

void runMigrations(auditDatabase, process.env);
