import type { AuditAction, EventActor, EventEnvelope } from '@gatehouse/contracts-core';
import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { type Step, type TenantDataProgress, tenantDataProgressed, TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { GIVE_UP_PLACE } from '../organizations/delete-organization.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow } from '../organizations/organization.view.ts';
import { publishOrganization } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';

/** The progress of a service: the total of moved rows, and whether it has finished the run's current step. */
export interface ServiceProgress {
  readonly moved: number;
  readonly finished: boolean;
}

interface Run {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly survivorId: string | null;
  readonly step: Step;
  readonly participants: string[];
  readonly progress: Record<string, ServiceProgress>;
  readonly statusBefore: OrganizationStatus;
  readonly startedBy: EventActor;
  readonly error: string | null;
}

const LOCK = `
  SELECT id, partner_id, org_id, survivor_id, step, participants, progress, status_before, started_by, error FROM organization_runs
   WHERE id = $1 AND step = $2 AND state IN ('queued', 'running') FOR UPDATE`;
const NOTE = `UPDATE organization_runs SET state = 'running', progress = $2 WHERE id = $1`;
const ADVANCE = `UPDATE organization_runs SET step = $2, progress = $3, error = $4 WHERE id = $1`;
const END = 'UPDATE organization_runs SET state = $2, finished_at = now() WHERE id = $1';
const CHANGED = `RETURNING ${ORGANIZATION_COLUMNS}, version`;
const RETIRE = `UPDATE organizations SET status = 'churned', deleted_at = now(), merged_into_id = $2, purge_at = NULL WHERE id = $1 ${CHANGED}`;
const PUT_BACK = `UPDATE organizations SET status = $2 WHERE id = $1 ${CHANGED}`;
const PURGED = `UPDATE organizations SET deleted_at = now(), settings = '{}', sso_config = NULL, billing_contact = NULL WHERE id = $1 ${CHANGED}`;

interface Ending {
  readonly action: AuditAction;
  readonly state: 'completed' | 'failed';
  readonly onComplete: (tx: Tx, run: Run) => Promise<OrganizationRow | null>;
}

/** What happens when the last service has finished a step: the next step begins, or the run ends. */
const ENDINGS: Readonly<Record<Exclude<Step, 'move'>, Ending>> = {
  finish: {
    action: 'organization.merge.complete',
    state: 'completed',
    onComplete: (tx, { orgId, survivorId }) => tx.one<OrganizationRow>(RETIRE, [orgId, survivorId]),
  },
  rollback: {
    action: 'organization.merge.fail',
    state: 'failed',
    onComplete: (tx, { orgId, statusBefore }) => tx.one<OrganizationRow>(PUT_BACK, [orgId, statusBefore]),
  },
  purge: {
    action: 'organization.purge',
    state: 'completed',
    onComplete: (tx, { orgId }) => tx.one<OrganizationRow>(PURGED, [orgId]),
  },
};

/**
 * Coordinates merges and purges. Each service works on its own and reports its progress; the saga advances the run
 * exactly once for each report.
 */
@Injectable()
export class MergeSaga {
  @Consumes(tenantDataProgressed('identity'))
  @Consumes(tenantDataProgressed('tenancy'))
  @Consumes(tenantDataProgressed('pam'))
  @Consumes(tenantDataProgressed('notifier'))
  async apply(tx: Tx, { data, source }: EventEnvelope<TenantDataProgress>): Promise<void> {
    if (data.service !== source) throw new Error(`${source} reports the progress of ${data.service}`);
    const run = await tx.one<Run>(LOCK, [data.runId, data.step]);
    if (!run || !run.participants.includes(data.service)) return;
    if (data.error !== null) return this.enter(tx, run, 'rollback', `${data.service}: ${data.error}`);
    const progress = { ...run.progress, [data.service]: progressOf(run, data) };
    await tx.query(NOTE, [run.id, progress]);
    if (!run.participants.every((service) => progress[service]?.finished)) return;
    if (run.step === 'move') await this.enter(tx, { ...run, progress }, 'finish', null);
    else await this.end(tx, run, ENDINGS[run.step]);
  }

  private async enter(tx: Tx, run: Run, step: Step, error: string | null): Promise<void> {
    const unfinished = Object.fromEntries(
      Object.entries(run.progress).map(([service, { moved }]) => [service, { moved, finished: false }]),
    );
    await tx.query(ADVANCE, [run.id, step, unfinished, error]);
    tx.emit(
      TenantDataRequested,
      { runId: run.id, step, sourceId: run.orgId, targetId: run.survivorId },
      { aggregateId: run.id },
    );
  }

  private async end(tx: Tx, run: Run, { action, state, onComplete }: Ending): Promise<void> {
    const organization = returned(await onComplete(tx, run));
    if (organization.deletedAt) await tx.query(GIVE_UP_PLACE, [run.partnerId]);
    await tx.query(END, [run.id, state]);
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
function progressOf({ step, progress }: Run, { service, done, finished }: TenantDataProgress): ServiceProgress {
  const before = progress[service] ?? { moved: 0, finished: false };
  return {
    moved: step === 'move' ? Math.max(before.moved, done) : before.moved,
    finished: before.finished || finished,
  };
}
