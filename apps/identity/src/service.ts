import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { configureHttp } from './http.ts';
import { identityDatabase } from './database.ts';
import { IdentityConfig } from './identity.config.ts';
import { measureCertificates } from './sso-providers/certificates/certificate.metrics.ts';
import { measureSignIns } from './sign-in.metrics.ts';
import { identitySealedColumns } from './sealed-columns.ts';
import { JWKS_PATHS } from './tokens/jwks.controller.ts';

export const identityService: ServiceDefinition<IdentityConfig> = {
  name: 'identity',
  config: IdentityConfig,
  module: AppModule,
  database: { definition: identityDatabase, url: (config) => config.databaseUrlIdentity },
  places: {
    organization: { table: 'org_ref', key: 'org_id' },
    role: { table: 'roles' },
    api_key: { table: 'api_keys' },
    'sso.provider': { table: 'sso_providers' },
    'sso.domain': { table: 'sso_domains' },
  },
  sealed: identitySealedColumns,
  unprefixed: JWKS_PATHS,
  configureHttp,
  measure: (platform) => {
    measureSignIns(platform);
    measureCertificates(platform);
  },
};
