import { API_PREFIX, RULE_CHANGES_BODY_LIMIT_BYTES } from '@gatehouse/contracts-core';
import { measureDecisions, pamDatabase } from '@gatehouse/pam-store';
import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { PamConfig } from './pam.config.ts';

export const pamService: ServiceDefinition<PamConfig> = {
  name: 'pam',
  config: PamConfig,
  module: AppModule,
  database: { definition: pamDatabase, url: (config) => config.databaseUrlPam },
  measure: measureDecisions,
  configureHttp: async (server) => {
    server.addHook('onRoute', (route) => {
      if (route.url === `${API_PREFIX}/pam/replays`) route.bodyLimit = RULE_CHANGES_BODY_LIMIT_BYTES;
    });
  },
};
