import { startService } from '@gatehouse/service';
import { identityService } from './service.ts';

await startService(identityService, process.env);
