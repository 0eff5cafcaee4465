import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MergeJobResponse, StartMergeDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { actorOf, type Tx, UnitOfWork } from '@gatehouse/database';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { findOrganization } from '../organizations/get-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow } from '../organizations/organization.view.ts';
import { publishOrganization } from '../rows/publish-state.ts';
import { requireNotSurviving, requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { type PreparedMerge, PreviewMerge } from './preview-merge.ts';

const FREEZE = `UPDATE organizations SET status = 'merging' WHERE id = $1 AND status = $2 RETURNING ${ORGANIZATION_COLUMNS}, version`;
const INSERT = `
  INSERT INTO organization_runs (id, partner_id, org_id, survivor_id, kind, step, participants, total, tables, warnings, status_before, started_by)
  VALUES ($1, $2, $3, $4, 'merge', 'move', $5, $6, $7, $8, $9, $10)`;

@Injectable()
export class StartMerge {
  constructor(
    private readonly work: UnitOfWork,
    private readonly previewMerge: PreviewMerge,
    private readonly config: TenancyConfig,
  ) {}

  /**
   * @throws ProblemError same_organization, organization_not_found, name_mismatch, plan_stale, merge_blocked,
   * merge_too_large, organization_frozen
   */
  async execute(caller: UserCaller, sourceId: string, choice: StartMergeDto): Promise<MergeJobResponse> {
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
    const prepared = await this.previewMerge.execute(caller, sourceId, survivorId);
    if (confirmName !== prepared.source.name)
      throw new ProblemError('name_mismatch', 'The name does not match the organization that would go away.');
    if (planToken !== undefined && planToken !== prepared.preview.planToken) throw planStale();
    this.requireOk(prepared);
    return prepared;
  }

  private requireOk({ preview: { verdict, blockers, totalMovableRows } }: PreparedMerge): void {
    if (verdict === 'blocked')
      throw new ProblemError('merge_blocked', blockers[0] ?? 'These organizations cannot be merged.', { blockers });
    if (verdict === 'too_large')
      throw new ProblemError('merge_too_large', 'This merge moves more rows than one may by itself.', {
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
    await findOrganization(tx, caller, source.id, 'FOR UPDATE');
    const frozen = await tx.one<OrganizationRow>(FREEZE, [source.id, source.status]);
    if (!frozen) throw planStale();
    await requireNotSurviving(tx, source.id);
    const jobId = newId();
    const { tables, warnings, totalMovableRows } = preview;
    await tx.query(INSERT, [
      jobId,
      source.partnerId,
      source.id,
      survivor.id,
      this.config.tenantDataParticipants,
      totalMovableRows,
      JSON.stringify(tables),
      JSON.stringify(warnings),
      source.status,
      actorOf(caller),
    ]);
    tx.audit({
      action: 'organization.merge.start',
      partnerId: source.partnerId,
      orgId: source.id,
      resource: { type: 'organization', id: source.id, name: source.name },
      details: { jobId, survivorId: survivor.id, totalMovableRows, warnings },
    });
    publishOrganization(tx, frozen);
    tx.emit(
      TenantDataRequested,
      { runId: jobId, step: 'move', sourceId: source.id, targetId: survivor.id },
      { aggregateId: jobId },
    );
    return { jobId };
  }
}

const planStale = (): ProblemError =>
  new ProblemError('plan_stale', 'Something changed since the preview; look at it again.');

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}
