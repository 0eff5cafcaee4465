import { startService } from '@gatehouse/service';
import { auditService } from './service.ts';

await startService(auditService, process.env);
