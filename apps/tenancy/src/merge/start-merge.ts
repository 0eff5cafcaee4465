import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MergeJobResponse, StartMergeDto } from '@gatehouse/contracts-tenancy';
import { actorOf, type Tx, UnitOfWork } from '@gatehouse/database';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { DeviceCountsRepository } from '../devices/counts/device-counts.repository.ts';
import { type OrganizationRow, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { publishOrganization } from '../scope/publish-state.ts';
import { requireNotSurviving, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';
import { type PreparedMerge, PreviewMerge } from './preview-merge.ts';

@Injectable()
export class StartMerge {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
    private readonly previewMerge: PreviewMerge,
    private readonly config: TenancyConfig,
  ) {}

  async start(caller: UserCaller, sourceId: string, choice: StartMergeDto): Promise<MergeJobResponse> {
    const known = await this.work.recalled<MergeJobResponse>(caller, caller.idempotency);
    if (known) return known.result;
    const prepared = await this.prepare(caller, sourceId, choice).catch(asProblem);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      // Thrown only here: the blocker may be the success of the same request, whose stored answer then applies.
      if (prepared instanceof ProblemError) throw prepared;
      return this.begin(tx, caller, prepared);
    });
  }

  private async prepare(
    caller: UserCaller,
    sourceId: string,
    { survivorId, confirmName, planToken }: StartMergeDto,
  ): Promise<PreparedMerge> {
    const prepared = await this.previewMerge.preview(caller, sourceId, survivorId);
    if (confirmName !== prepared.source.name)
      throw new ProblemError('name_mismatch', 'The name does not match the organisation to be merged.');
    if (planToken !== undefined && planToken !== prepared.preview.planToken) throw planStale();
    this.requireOk(prepared);
    return prepared;
  }

  private requireOk({ preview: { verdict, blockers, totalMovableRows } }: PreparedMerge): void {
    if (verdict === 'blocked')
      throw new ProblemError('merge_blocked', blockers[0] ?? 'These organisations cannot be merged.', { blockers });
    if (verdict === 'too_large')
      throw new ProblemError('merge_too_large', 'This merge moves more records than one merge can.', {
        totalMovableRows,
        limit: this.config.orgMergeMaxRows,
      });
  }

  private async begin(
    tx: Tx,
    caller: UserCaller,
    { source, survivor, preview }: PreparedMerge,
  ): Promise<MergeJobResponse> {
    await requireWritable(tx, caller, survivor.id);
    await this.organizationsRepository.lock(tx, caller, source.id);
    const merging = await this.organizationsRepository.beginMerge(tx, source.id, source.status);
    if (!merging) throw planStale();
    await requireNotSurviving(tx, source.id);
    const { tables, warnings, totalMovableRows } = preview;
    const jobId = await this.organizationRunsRepository.insert(tx, {
      partnerId: source.partnerId,
      orgId: source.id,
      survivorId: survivor.id,
      kind: 'merge',
      step: 'move',
      participants: this.config.tenantDataParticipants,
      total: totalMovableRows,
      tables,
      warnings,
      statusBefore: source.status,
      startedBy: actorOf(caller),
    });
    await this.requireRoom(tx, survivor);
    tx.audit({
      action: 'organization.merge.start',
      partnerId: source.partnerId,
      orgId: source.id,
      resource: { type: 'organization', id: source.id, name: source.name },
      details: { jobId, survivorId: survivor.id, totalMovableRows, warnings },
    });
    publishOrganization(tx, merging);
    tx.emit(
      TenantDataRequested,
      { runId: jobId, step: 'move', sourceId: source.id, targetId: survivor.id },
      { aggregateId: jobId },
    );
    return { jobId };
  }

  /** Counts again, with the rows of the run: devices may have been enrolled at the survivor since the preview. */
  private async requireRoom(tx: Tx, { id, partnerId }: OrganizationRow): Promise<void> {
    const cap = (await this.deviceCountsRepository.caps(tx, id))?.ofOrganization ?? null;
    if (cap === null) return;
    await this.deviceCountsRepository.lockCounters(tx, partnerId);
    if ((await this.deviceCountsRepository.inServiceOfOrganization(tx, id)) > cap) throw planStale();
  }
}

const planStale = (): ProblemError =>
  new ProblemError('plan_stale', 'Something changed since the preview; check it again.');

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}
