import { startService } from '@gatehouse/service';
import { tenancyService } from './service.ts';

void startService(tenancyService, process.env);
