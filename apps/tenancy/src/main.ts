import { startService } from '@gatehouse/service';
import { tenancyService } from './service.ts';

await startService(tenancyService, process.env);
