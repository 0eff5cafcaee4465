import { runMigrations } from '@gatehouse/service';
import { notifierDatabase } from './database.ts';

await runMigrations(notifierDatabase, process.env);
