import { runMigrations } from '@gatehouse/service';
import { notifierDatabase } from './database.ts';

void runMigrations(notifierDatabase, process.env);
