import { startService } from '@gatehouse/service';
import { notifierService } from './service.ts';

await startService(notifierService, process.env);
