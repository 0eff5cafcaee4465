import { startService } from '@gatehouse/service';
import { gatewayService } from './service.ts';

await startService(gatewayService, process.env);
