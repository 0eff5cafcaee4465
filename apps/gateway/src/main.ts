import { startService } from '@gatehouse/service';
import { gatewayService } from './service.ts';

void startService(gatewayService, process.env);
