import { asService } from '@gatehouse/contracts-core';
import type { Platform } from '@gatehouse/service';

const SELF = asService('audit');

const STATE = `
  SELECT coalesce(sum(length), 0)::float AS entries,
         coalesce(extract(epoch FROM now() - min(unsigned.timestamp)), 0)::float AS age
    FROM chains c LEFT JOIN LATERAL (
      SELECT e.timestamp FROM audit_entries e WHERE e.chain = c.chain AND e.sequence = c.checkpointed_length + 1 AND c.length > c.checkpointed_length
    ) unsigned ON true`;

/** Metrics of the length of the log, and of the entries that no checkpoint covers yet. */
export function measureAudit({ metrics, store }: Platform): void {
  const entries = metrics.gauge('gatehouse_audit_entries', 'Entries of all chains');
  const age = metrics.gauge(
    'gatehouse_audit_unsigned_age_seconds',
    'Age of the oldest entry that no signed checkpoint vouches for; 0 when there is none',
  );
  metrics.atScrape([entries, age], async () => {
    const row = await store?.work.backgroundRead(SELF, (reader) => reader.one<{ entries: number; age: number }>(STATE));
    return row
      ? [
          { of: entries, value: row.entries },
          { of: age, value: row.age },
        ]
      : [];
  });
}
