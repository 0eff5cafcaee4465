import { API_PREFIX, IMPORT_BODY_LIMIT_BYTES, ORGANIZATION_ORDER_BODY_LIMIT_BYTES } from '@gatehouse/contracts-core';
import { CHECKS_TEXTS_ITSELF, type ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { tenancyDatabase } from './database.ts';
import { TenancyConfig } from './tenancy.config.ts';

/** A row with a text that cannot be stored is reported by its index. */
const CONTACT_IMPORT = `${API_PREFIX}/orgs/contacts/import`;
/** A thousand rows, or a script in a language of long characters, exceed the usual body limit. */
const LARGE_ROUTES = ['custom-fields/import', 'devices/custom-fields/import', 'orgs/contacts/import', 'scripts'].map(
  (path) => `${API_PREFIX}/${path}`,
);
const ORGANIZATION_ORDER = `${API_PREFIX}/orgs/organizations/order`;

export const tenancyService: ServiceDefinition<TenancyConfig> = {
  name: 'tenancy',
  config: TenancyConfig,
  module: AppModule,
  database: { definition: tenancyDatabase, url: (config) => config.databaseUrlTenancy },
  places: {
    organization: { table: 'organizations', org: 'id' },
    site: { table: 'sites', site: 'id' },
    contact: { table: 'contacts', site: 'site_id' },
    enrollment_key: { table: 'enrollment_keys', site: 'site_id' },
    device: { table: 'devices', site: 'site_id' },
    device_group: { table: 'device_groups' },
    custom_field: { table: 'custom_fields' },
    script: { table: 'scripts' },
    configuration_policy: { table: 'configuration_policies' },
  },
  configureHttp: async (server) => {
    server.addHook('onRoute', (route) => {
      if (LARGE_ROUTES.some((prefix) => route.url.startsWith(prefix))) route.bodyLimit = IMPORT_BODY_LIMIT_BYTES;
      if (route.url === ORGANIZATION_ORDER) route.bodyLimit = ORGANIZATION_ORDER_BODY_LIMIT_BYTES;
      if (route.url.startsWith(CONTACT_IMPORT)) route.config = { ...route.config, [CHECKS_TEXTS_ITSELF]: true };
    });
  },
};
