import { startService } from '@gatehouse/service';
import { pamService } from './service.ts';

await startService(pamService, process.env);
