import { startService } from '@gatehouse/service';
import { identityService } from './service.ts';

void startService(identityService, process.env);
