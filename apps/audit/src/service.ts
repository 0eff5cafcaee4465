import { API_PREFIX, asService, ProblemError } from '@gatehouse/contracts-core';
import type { Platform, ServiceDefinition } from '@gatehouse/service';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { AuditConfig } from './audit.config.ts';
import { ChainsRepository } from './chain/chains.repository.ts';
import { checkpointKeyContext } from './checkpoints/checkpoint-keys.ts';
import { auditDatabase } from './database.ts';

const ONE_TIME_ADDRESS = `${API_PREFIX}/audit-logs/exports/`;

/** Refuses HEAD where a GET uses up the address of an export: link scanners and previews send HEAD. */
async function configureHttp(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async ({ method, url }) => {
    if (method === 'HEAD' && url.startsWith(ONE_TIME_ADDRESS))
      throw new ProblemError('route_not_found', 'There is nothing at this address.');
  });
}

const SELF = asService('audit');
const chains = new ChainsRepository();

/** Metrics of the length of the log, and of the entries that no checkpoint covers yet. */
function measureAudit({ metrics, store }: Platform): void {
  const entries = metrics.gauge('gatehouse_audit_entries', 'Entries of all chains');
  const age = metrics.gauge(
    'gatehouse_audit_unsigned_age_seconds',
    'Age of the oldest entry that no signed checkpoint vouches for; 0 when there is none',
  );
  metrics.atScrape([entries, age], async () => {
    const row = await store?.work.backgroundRead(SELF, (reader) => chains.state(reader));
    return row
      ? [
          { of: entries, value: row.entries },
          { of: age, value: row.age },
        ]
      : [];
  });
}

export const auditService: ServiceDefinition<AuditConfig> = {
  name: 'audit',
  config: AuditConfig,
  module: AppModule,
  database: { definition: auditDatabase, url: ({ databaseUrlAudit }) => databaseUrlAudit },
  measure: measureAudit,
  configureHttp,
  sealed: [{ table: 'checkpoint_keys', column: 'sealed_private_jwk', boundTo: ['kid'], context: checkpointKeyContext }],
};
