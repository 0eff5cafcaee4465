import { startService } from '@gatehouse/service';
import { auditService } from './service.ts';

void startService(auditService, process.env);
