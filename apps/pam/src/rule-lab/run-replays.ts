import { asService, ProblemError } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { PerformReplay } from './perform-replay.ts';
import { type ClaimedReplay, ReplayWorkRepository } from './replay-work.repository.ts';

const EVERY_MS = 1000;
const CLEAN_EVERY_MS = 600_000;
const SERVICE = asService('pam');
/** In seconds. */
const BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 120];

const RESULTS = ['done', 'interrupted', 'failed'];

/** Works on queued replays, one at a time in each process. A run that stops half-way is continued by another one. */
@Injectable()
export class RunReplays {
  private readonly seconds: ReturnType<Metrics['histogram']>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly performReplay: PerformReplay,
    private readonly jobs: ReplayWorkRepository,
    metrics: Metrics,
  ) {
    this.seconds = metrics.histogram('gatehouse_pam_replay_seconds', 'Runs of replays', { result: RESULTS }, BUCKETS);
  }

  @Every(EVERY_MS, 'run replays')
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.runNext(stopping)));
  }

  @Every(CLEAN_EVERY_MS, 'delete old replays')
  async clean(): Promise<void> {
    while ((await this.work.background(SERVICE, (tx) => this.jobs.deleteOld(tx))) > 0);
  }

  /** @returns whether there was a replay to work on */
  private async runNext(stopping: AbortSignal): Promise<boolean> {
    const claimed = await this.work.autocommit(SERVICE, (statement) => this.jobs.claim(statement, newId()));
    if (claimed?.state === 'running') await this.perform(claimed, stopping);
    return claimed !== null;
  }

  private async perform(claimed: ClaimedReplay, stopping: AbortSignal): Promise<void> {
    const began = performance.now();
    const note = (result: string): void => this.seconds.observe({ result }, (performance.now() - began) / 1000);
    try {
      await this.performReplay.perform(claimed, stopping);
      note(stopping.aborted ? 'interrupted' : 'done');
    } catch (error) {
      note('failed');
      // The rules changed after the replay was queued, and its changes no longer fit them. Any other error passes:
      // another run takes over when the lease ends.
      if (!(error instanceof ProblemError) || error.code === 'unavailable') throw error;
      await this.work.background(SERVICE, (tx) => this.jobs.fail(tx, claimed, error.message));
    }
  }
}
