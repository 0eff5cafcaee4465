import { asService, type EventEnvelope, type PlainAction } from '@gatehouse/contracts-core';
import { MergeProgressed } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes, EventBus, STEP_QUESTION } from '@gatehouse/messaging';
import {
  type Step,
  type StepQuestion,
  type StepReply,
  type TenantDataProgress,
  tenantDataProgressed,
  TenantDataRequested,
} from '@gatehouse/tenant-data';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  OrganizationPlacesRepository,
  type OrganizationRow,
  OrganizationsRepository,
} from '../organizations/organizations.repository.ts';
import { publishOrganization } from '../scope/publish-state.ts';
import { progressOfRun } from './merge.service.ts';
import { OrganizationRunsRepository, type RunAtStep, type ServiceProgress } from './organization-runs.repository.ts';

interface Ending {
  readonly action: PlainAction;
  readonly state: 'completed' | 'failed';
  readonly onComplete: (organizations: OrganizationsRepository, tx: Tx, run: RunAtStep) => Promise<OrganizationRow>;
}

/** What happens when the last service has finished a step: the next step begins, or the run ends. */
const ENDINGS: Readonly<Record<Exclude<Step, 'move'>, Ending>> = {
  finish: {
    action: 'organization.merge.complete',
    state: 'completed',
    onComplete: (organizations, tx, { orgId, survivorId }) => organizations.completeMerge(tx, orgId, survivorId),
  },
  rollback: {
    action: 'organization.merge.fail',
    state: 'failed',
    onComplete: (organizations, tx, { orgId, statusBefore }) => organizations.undoMerge(tx, orgId, statusBefore),
  },
  purge: {
    action: 'organization.purge',
    state: 'completed',
    onComplete: (organizations, tx, { orgId }) => organizations.completePurge(tx, orgId),
  },
};

/**
 * Coordinates merges and purges. Each service works on its own and reports its progress; the saga advances the run
 * exactly once for each report.
 */
@Injectable()
export class MergeSaga {
  constructor(
    private readonly organizationRunsRepository: OrganizationRunsRepository,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationPlacesRepository: OrganizationPlacesRepository,
  ) {}

  @Consumes(tenantDataProgressed('identity'))
  @Consumes(tenantDataProgressed('tenancy'))
  @Consumes(tenantDataProgressed('pam'))
  @Consumes(tenantDataProgressed('notifier'))
  async apply(tx: Tx, { data, source }: EventEnvelope<TenantDataProgress>): Promise<void> {
    if (data.service !== source) throw new Error(`${source} reports the progress of ${data.service}`);
    const run = await this.organizationRunsRepository.lockAtStep(tx, data.runId, data.step);
    if (!run || !run.participants.includes(data.service)) return;
    if (data.error !== null) return this.enter(tx, run, 'rollback', `${data.service}: ${data.error}`);
    const progress = { ...run.progress, [data.service]: progressOf(run, data) };
    await this.organizationRunsRepository.storeProgress(tx, run.id, progress);
    publishProgress(tx, run, { state: 'running', progress });
    if (!run.participants.every((service) => progress[service]?.finished)) return;
    if (run.step === 'move') await this.enter(tx, { ...run, progress }, 'finish', null);
    else await this.end(tx, run, ENDINGS[run.step]);
  }

  private async enter(tx: Tx, run: RunAtStep, step: Step, error: string | null): Promise<void> {
    const progress = Object.fromEntries(
      Object.entries(run.progress).map(([service, { moved }]) => [service, { moved, finished: false }]),
    );
    await this.organizationRunsRepository.enterStep(tx, run.id, { step, progress, error });
    tx.emit(
      TenantDataRequested,
      { runId: run.id, step, sourceId: run.orgId, targetId: run.survivorId },
      { aggregateId: run.id },
    );
  }

  private async end(tx: Tx, run: RunAtStep, { action, state, onComplete }: Ending): Promise<void> {
    const organization = await onComplete(this.organizationsRepository, tx, run);
    if (organization.deletedAt) await this.organizationPlacesRepository.release(tx, run.partnerId);
    await this.organizationRunsRepository.end(tx, run.id, state);
    publishProgress(tx, run, { state, progress: run.progress });
    const moved = Object.values(run.progress).reduce((sum, each) => sum + each.moved, 0);
    tx.audit({
      action,
      actor: run.startedBy,
      partnerId: run.partnerId,
      orgId: run.orgId,
      resource: { type: 'organization', id: run.orgId, name: organization.name },
      result: state === 'failed' ? 'failure' : 'success',
      details: { jobId: run.id, survivorId: run.survivorId, moved, error: run.error },
    });
    publishOrganization(tx, organization);
  }
}

/**
 * Rows that are dropped or moved back do not count as moved. The final report of a service stays, even if an earlier
 * report arrives after it.
 */
function progressOf({ step, progress }: RunAtStep, { service, done, finished }: TenantDataProgress): ServiceProgress {
  const before = progress[service] ?? { moved: 0, finished: false };
  return {
    moved: step === 'move' ? Math.max(before.moved, done) : before.moved,
    finished: before.finished || finished,
  };
}

function percentOf(run: Pick<RunAtStep, 'state' | 'progress' | 'total'>): number {
  const { done, total } = progressOfRun(run);
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}

/** Publishes what a change does to the progress of a merge, unless it is less than a percent. */
function publishProgress(tx: Tx, run: RunAtStep, change: Pick<RunAtStep, 'state' | 'progress'>): void {
  const { id: jobId, partnerId, orgId, survivorId } = run;
  const after = { ...run, ...change };
  const isNews = after.state !== run.state || percentOf(after) !== percentOf(run);
  if (survivorId === null || !isNews) return;
  tx.emit(
    MergeProgressed,
    { jobId, partnerId, orgId, state: after.state, ...progressOfRun(after) },
    { aggregateId: jobId },
  );
}

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
