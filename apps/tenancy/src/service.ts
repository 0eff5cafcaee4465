import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { tenancyDatabase } from './database.ts';
import { TenancyConfig } from './tenancy.config.ts';

export const tenancyService: ServiceDefinition<TenancyConfig> = {
  name: 'tenancy',
  config: TenancyConfig,
  module: AppModule,
  database: { definition: tenancyDatabase, url: (config) => config.databaseUrlTenancy },
};
