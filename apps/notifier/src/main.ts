import { startService } from '@gatehouse/service';
import { notifierService } from './service.ts';

void startService(notifierService, process.env);
