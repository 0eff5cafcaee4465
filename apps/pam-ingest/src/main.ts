import { startService } from '@gatehouse/service';
import { pamIngestService } from './service.ts';

void startService(pamIngestService, process.env);
