import { runMigrations } from '@gatehouse/service';
import { identityDatabase } from './database.ts';

await runMigrations(identityDatabase, process.env);
