import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { GatewayConfig } from './gateway.config.ts';

export const gatewayService: ServiceDefinition<GatewayConfig> = {
  name: 'gateway',
  config: GatewayConfig,
  module: AppModule,
  isPublicDoor: true,
  maxHeaderBytes: 16 * 1024,
};
