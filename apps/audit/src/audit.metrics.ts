import { asService } from '@gatehouse/contracts-core';
import type { Platform } from '@gatehouse/service';
import { ChainsRepository } from './chain/chains.repository.ts';

const SELF = asService('audit');
const chains = new ChainsRepository();

/** Metrics of the length of the log, and of the entries that no checkpoint covers yet. */
export function measureAudit({ metrics, store }: Platform): void {
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
