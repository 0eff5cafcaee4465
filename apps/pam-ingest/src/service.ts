import { AGENT_REPORT_BODY_LIMIT_BYTES, ProblemError } from '@gatehouse/contracts-core';
import { measureDecisions, pamDatabase } from '@gatehouse/pam-store';
import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { PamIngestConfig } from './pam-ingest.config.ts';

export const pamIngestService: ServiceDefinition<PamIngestConfig> = {
  name: 'pam-ingest',
  config: PamIngestConfig,
  module: AppModule,
  database: {
    definition: pamDatabase,
    url: ({ databaseUrlPam }) => databaseUrlPam,
    directUrl: ({ databaseDirectUrlPam }) => databaseDirectUrlPam,
  },
  measure: measureDecisions,
  configureHttp: async (server) => {
    // The size is counted while the body arrives, so that a body without a Content-Length is cut off at the same limit.
    server.addHook('onRoute', (route) => {
      route.bodyLimit = AGENT_REPORT_BODY_LIMIT_BYTES;
    });
    server.addHook('onRequest', async ({ headers }) => {
      const encoding = headers['content-encoding'];
      if (encoding && encoding !== 'identity')
        throw new ProblemError('unsupported_media_type', 'This route accepts bodies without a content encoding.');
    });
  },
};
