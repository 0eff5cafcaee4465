import { startService } from '@gatehouse/service';
import { pamService } from './service.ts';

void startService(pamService, process.env);
