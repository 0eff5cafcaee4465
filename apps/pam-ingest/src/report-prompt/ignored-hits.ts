import { asService } from '@gatehouse/contracts-core';
import { DECISION_OUTCOMES } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import type { Decision } from '@gatehouse/pam-domain';
import { addIgnoredHits, type IgnoredHits } from '@gatehouse/pam-store';
import { Every } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

const EVERY_MS = 10_000;
const SERVICE = asService('pam-ingest');

/**
 * Counts the hits of shadow rules among prompts that are ignored, of which no request is stored (PAM-248). The counts
 * are at most some seconds late; a crash loses those of the last seconds.
 */
@Injectable()
export class IgnoredHitCounts implements OnApplicationShutdown {
  private counts = new Map<string, IgnoredHits>();
  private readonly hits: ReturnType<Metrics['counter']>;

  constructor(
    private readonly work: UnitOfWork,
    metrics: Metrics,
  ) {
    this.hits = metrics.counter('gatehouse_pam_shadow_hits_total', 'Matches of shadow rules', {
      outcome: DECISION_OUTCOMES,
    });
  }

  note(
    { outcome, shadow }: Decision,
    { partnerId, orgId }: { readonly partnerId: string; readonly orgId: string },
  ): void {
    for (const hit of shadow?.hits ?? []) this.hits.inc({ outcome: hit.outcome });
    if (outcome !== 'ignored' || !shadow) return;
    for (const { ruleId } of shadow.hits) this.add({ ruleId, partnerId, orgId, hits: 1 });
  }

  @Every(EVERY_MS, 'store hits of shadow rules')
  async store(): Promise<void> {
    if (this.counts.size === 0) return;
    const counted = [...this.counts.values()];
    this.counts = new Map();
    try {
      await this.work.autocommit(SERVICE, (statement) => addIgnoredHits(statement, counted));
    } catch (error) {
      for (const hits of counted) this.add(hits);
      throw error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.store().catch(() => undefined);
  }

  private add(more: IgnoredHits): void {
    const hits = (this.counts.get(more.ruleId)?.hits ?? 0) + more.hits;
    this.counts.set(more.ruleId, { ...more, hits });
  }
}
