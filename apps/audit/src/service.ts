import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { AuditConfig } from './audit.config.ts';
import { measureAudit } from './audit.metrics.ts';
import { checkpointKeyContext } from './checkpoints/checkpoint-keys.ts';
import { auditDatabase } from './database.ts';
import { configureHttp } from './http.ts';

export const auditService: ServiceDefinition<AuditConfig> = {
  name: 'audit',
  config: AuditConfig,
  module: AppModule,
  database: { definition: auditDatabase, url: ({ databaseUrlAudit }) => databaseUrlAudit },
  measure: measureAudit,
  configureHttp,
  sealed: [{ table: 'checkpoint_keys', column: 'sealed_private_jwk', boundTo: ['kid'], context: checkpointKeyContext }],
};
