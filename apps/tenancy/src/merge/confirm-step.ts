import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import type { StepReply, StepQuestion } from '@gatehouse/tenant-data';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';

/**
 * Confirms to the other services that a requested step is due now. A service moves or deletes rows only after this
 * confirmation, not because of the event alone.
 */
@Injectable()
export class ConfirmStep implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<StepQuestion>(STEP_QUESTION, (question) => this.confirm(question));
  }

  confirm(question: StepQuestion): Promise<StepReply> {
    return this.work.backgroundRead(asService('tenancy'), async (reader) => ({
      due: await this.organizationRunsRepository.isDue(reader, question),
    }));
  }
}
