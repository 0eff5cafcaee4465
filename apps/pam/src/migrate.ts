import { pamDatabase } from '@gatehouse/pam-store';
import { runMigrations } from '@gatehouse/service';

await runMigrations(pamDatabase, process.env);
