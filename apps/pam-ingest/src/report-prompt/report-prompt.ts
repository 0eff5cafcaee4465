import { ProblemError, WHOLE_SYSTEM } from '@gatehouse/contracts-core';
import type { AgentReportDto, AgentReportResponse } from '@gatehouse/contracts-pam';
import { isDataException, isIntegrityViolation, UnitOfWork } from '@gatehouse/database';
import { type DecidedReport, ReportBatchRepository, type ReportResult } from '@gatehouse/pam-store';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { requireReporting } from '../agents/agent-devices.ts';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { PamIngestConfig } from '../pam-ingest.config.ts';
import { DecideReport } from './decide-report.ts';
import { decidedReport, hashOf } from './decided-report.ts';
import { IgnoredHitCounts } from './ignored-hits.ts';
import { type BatchLimits, MicroBatch } from '../agents/micro-batch.ts';

/**
 * Reports that arrive within 2 ms share a commit; with more than 200 a batch takes longer without gaining throughput.
 */
const BATCH: BatchLimits = {
  waitMs: 2,
  maxSize: 200,
  parallel: 2,
  isOfOneItem: (error) => isDataException(error) || isIntegrityViolation(error),
};
/**
 * After so many stale decisions, the request is left for a technician: the rules change faster than it can be decided.
 */
const MAX_STALE = 5;
/**
 * Pause before a retry while the rulebook is locked. A change of rules takes milliseconds and delays only its own
 * organisation's reports.
 */
const BUSY_PAUSE_MS = 20;
const MAX_BUSY_MS = 3_000;

/** Decides and stores a report (PAM-60). The agent gets its answer only after the commit. */
@Injectable()
export class ReportPrompt {
  private readonly batch: MicroBatch<DecidedReport, ReportResult>;
  /** Identical concurrent reports share one answer. */
  private readonly underWay = new Map<string, Promise<AgentReportResponse>>();

  constructor(
    private readonly decide: DecideReport,
    private readonly work: UnitOfWork,
    private readonly ignoredHits: IgnoredHitCounts,
    reports: ReportBatchRepository,
    { pamPendingTtlMinutes }: PamIngestConfig,
  ) {
    this.batch = new MicroBatch((items) => reports.write(WHOLE_SYSTEM, items, pamPendingTtlMinutes), BATCH);
  }

  async report(caller: DeviceCaller, report: AgentReportDto): Promise<AgentReportResponse> {
    requireReporting(caller);
    const hash = hashOf(report);
    const key = `${caller.deviceId} ${hash}`;
    const answer = this.underWay.get(key) ?? this.record(caller, report, hash).finally(() => this.underWay.delete(key));
    this.underWay.set(key, answer);
    return answer;
  }

  /** @throws ProblemError unavailable when the rules are being changed for too long */
  private async record(caller: DeviceCaller, report: AgentReportDto, hash: string): Promise<AgentReportResponse> {
    const givesUpAt = performance.now() + MAX_BUSY_MS;
    for (let stale = 0; ;) {
      const { decision, rulebook } =
        stale === MAX_STALE ? this.decide.byPerson() : await this.decide.byRules(caller, report);
      const decided = decidedReport(caller, report, hash, { decision, version: rulebook?.version ?? null });
      const stored = await this.work.traced(caller, () => this.batch.submit(decided));
      if ('status' in stored) {
        if (stored.result === 'written') this.ignoredHits.note(decision, caller.device);
        return this.answer(decided, stored);
      }
      if (rulebook) this.decide.forget(rulebook);
      if (stored.result === 'stale') stale++;
      else if (performance.now() < givesUpAt) await wait(BUSY_PAUSE_MS);
      else
        throw new ProblemError('unavailable', 'The rules of this organisation are being changed; report again.', {
          retryAfterSeconds: 1,
        });
    }
  }

  private answer(
    { outbox }: DecidedReport,
    { result, requestId, status, grant }: Extract<ReportResult, { status: string }>,
  ): AgentReportResponse {
    if (result === 'written') this.work.announce(outbox);
    if (!grant) return { id: requestId, status };
    const { expiresAt, rule, policy } = grant;
    return {
      id: requestId,
      status,
      expiresAt: expiresAt.toISOString(),
      ...(rule && { rule }),
      ...(policy && { policy }),
    };
  }
}

@Injectable()
export class ReportPromptLifecycle implements OnApplicationShutdown {
  constructor(private readonly reports: ReportBatchRepository) {}

  onApplicationShutdown(): void {
    this.reports.close();
  }
}
