import { API_PREFIX, RULE_CHANGES_BODY_LIMIT_BYTES } from '@gatehouse/contracts-core';
import { measureDecisions, pamDatabase } from '@gatehouse/pam-store';
import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { PamConfig } from './pam.config.ts';

const LONG_LISTS = ['replays', 'signer-groups', 'software-policies'].map((name) => `${API_PREFIX}/pam/${name}`);

export const pamService: ServiceDefinition<PamConfig> = {
  name: 'pam',
  config: PamConfig,
  module: AppModule,
  database: { definition: pamDatabase, url: (config) => config.databaseUrlPam },
  places: {
    organization: { table: 'org_ref', key: 'org_id' },
    site: { table: 'site_ref', key: 'site_id', site: 'site_id' },
    device: { table: 'device_ref', key: 'device_id', site: 'site_id' },
    'pam.elevation_request': { table: 'elevation_requests' },
    'pam.rule': { table: 'pam_rules' },
    'pam.signer_group': { table: 'signer_groups' },
    'pam.software_policy': { table: 'software_policies' },
    'pam.freeze': { table: 'pam_freezes' },
  },
  measure: measureDecisions,
  configureHttp: async (server) => {
    server.addHook('onRoute', (route) => {
      if (LONG_LISTS.some((path) => route.url.startsWith(path))) route.bodyLimit = RULE_CHANGES_BODY_LIMIT_BYTES;
    });
  },
};
