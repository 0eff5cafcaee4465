import { pamDatabase } from '@gatehouse/pam-store';
import { runMigrations } from '@gatehouse/service';

void runMigrations(pamDatabase, process.env);
