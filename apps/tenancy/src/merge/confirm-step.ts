import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import type { StepReply, StepQuestion } from '@gatehouse/tenant-data';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

const IS_DUE = `
  SELECT FROM organization_runs WHERE id::text = $1 AND step = $2 AND org_id::text = $3 AND survivor_id::text IS NOT DISTINCT FROM $4 AND state IN ('queued', 'running')`;

/**
 * Confirms to the other services that a requested step is due now. A service moves or deletes rows only after this
 * confirmation, not because of the event alone.
 */
@Injectable()
export class ConfirmStep implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<StepQuestion>(STEP_QUESTION, (question) => this.execute(question));
  }

  execute({ runId, step, sourceId, targetId }: StepQuestion): Promise<StepReply> {
    return this.work.backgroundRead(asService('tenancy'), async (reader) => ({
      due: (await reader.one(IS_DUE, [runId, step, sourceId, targetId ?? null])) !== null,
    }));
  }
}
