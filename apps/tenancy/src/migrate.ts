import { runMigrations } from '@gatehouse/service';
import { tenancyDatabase } from './database.ts';

void runMigrations(tenancyDatabase, process.env);
