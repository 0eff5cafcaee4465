import { runMigrations } from '@gatehouse/service';
import { tenancyDatabase } from './database.ts';

await runMigrations(tenancyDatabase, process.env);
