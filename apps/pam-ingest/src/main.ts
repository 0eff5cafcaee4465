import { startService } from '@gatehouse/service';
import { pamIngestService } from './service.ts';

await startService(pamIngestService, process.env);
