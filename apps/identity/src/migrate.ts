import { runMigrations } from '@gatehouse/service';
import { identityDatabase } from './database.ts';

void runMigrations(identityDatabase, process.env);
