import type { EventActor, Page, UserCaller } from '@gatehouse/contracts-core';
import type { MergeRunQuery, MergeTableRecord, OrganizationStatus, RunState } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import type { Step, StepQuestion } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NewRow } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';

/** The progress of a service: the total of moved rows, and whether it has finished the run's current step. */
export interface ServiceProgress {
  readonly moved: number;
  readonly finished: boolean;
}

/** A merge or a purge across all services, with what it returns to if it fails. */
@Entity('organization_runs')
export class OrganizationRunEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** Null for a purge. */
  @Column('uuid', { nullable: true }) survivorId!: string | null;
  @Column('text') kind!: 'merge' | 'purge';
  @Column('text', { default: () => "'queued'::text" }) state!: RunState;
  @Column('text') step!: Step;
  /** The services that must finish each step. */
  @Column('text', { array: true }) participants!: string[];
  @Column('jsonb', { default: () => "'{}'::jsonb" }) progress!: Record<string, ServiceProgress>;
  /** The number of rows that the preview counted. */
  @Column('bigint', { default: () => '0' }) total!: number;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) tables!: MergeTableRecord[];
  @Column('jsonb', { default: () => "'[]'::jsonb" }) warnings!: string[];
  @Column('text') statusBefore!: OrganizationStatus;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('jsonb') startedBy!: EventActor;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}

const UNDER_WAY = `state IN ('queued', 'running')`;
const IS_DUE = `
  SELECT FROM organization_runs
   WHERE id::text = $1 AND step = $2 AND org_id::text = $3 AND survivor_id::text IS NOT DISTINCT FROM $4
     AND ${UNDER_WAY}`;
const LOCK_AT_STEP = `
  SELECT id, partner_id, org_id, survivor_id, state, step, participants, progress, total, status_before, started_by,
    error
    FROM organization_runs WHERE id = $1 AND step = $2 AND ${UNDER_WAY} FOR UPDATE`;
const MERGES = `organization_runs r
  JOIN organizations merged ON merged.id = r.org_id JOIN organizations survivor ON survivor.id = r.survivor_id`;
const MERGE = `r.id, r.org_id, merged.name AS org_name, r.survivor_id, survivor.name AS survivor_name, r.state, r.total,
  r.progress, r.tables, r.warnings, r.error, r.started_by, r.created_at, r.finished_at`;

export type RunAtStep = Pick<
  OrganizationRunEntity,
  | 'id'
  | 'partnerId'
  | 'orgId'
  | 'survivorId'
  | 'state'
  | 'step'
  | 'participants'
  | 'progress'
  | 'total'
  | 'statusBefore'
  | 'startedBy'
  | 'error'
>;

export interface MergeRun extends Pick<
  OrganizationRunEntity,
  | 'id'
  | 'orgId'
  | 'state'
  | 'total'
  | 'progress'
  | 'tables'
  | 'warnings'
  | 'error'
  | 'startedBy'
  | 'createdAt'
  | 'finishedAt'
> {
  readonly orgName: string;
  readonly survivorId: string;
  readonly survivorName: string;
}

/** The merges of which both organisations are in the caller's reach. */
const mergesInReach = ({ scope }: UserCaller): Conditions =>
  scoped(scope, { partner: 'r.partner_id', org: 'r.org_id' })
    .within(scope, { partner: 'r.partner_id', org: 'r.survivor_id' })
    .raw(`r.kind = 'merge'`);

type Progress = Readonly<Record<string, ServiceProgress>>;

@Injectable()
export class OrganizationRunsRepository {
  /** Stores a new run and returns its id. */
  async insert(tx: Tx, run: NewRow<OrganizationRunEntity>): Promise<string> {
    const id = newId();
    await tx.manager.insert(OrganizationRunEntity, { ...run, id });
    return id;
  }

  findMerge(reader: Reader, caller: UserCaller, id: string): Promise<MergeRun | null> {
    const { where, parameters } = mergesInReach(caller).add('r.id = ?', id);
    return reader.one<MergeRun>(`SELECT ${MERGE} FROM ${MERGES} ${where}`, parameters);
  }

  /** The newest first. */
  listMerges(reader: Reader, caller: UserCaller, query: MergeRunQuery): Promise<Page<MergeRun>> {
    return listPage<MergeRun>(reader, query, {
      columns: MERGE,
      from: MERGES,
      conditions: mergesInReach(caller).add('r.state = ANY (?::text[])', query.state),
      order: ['r.created_at', 'r.id'],
      descending: true,
    });
  }

  async isDue(reader: Reader, { runId, step, sourceId, targetId }: StepQuestion): Promise<boolean> {
    return (await reader.one(IS_DUE, [runId, step, sourceId, targetId ?? null])) !== null;
  }

  /** Locks the run; null if it has ended or is at another step. */
  lockAtStep(tx: Tx, id: string, step: Step): Promise<RunAtStep | null> {
    return tx.one<RunAtStep>(LOCK_AT_STEP, [id, step]);
  }

  async storeProgress(tx: Tx, id: string, progress: Progress): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, { state: 'running', progress });
  }

  async enterStep(
    tx: Tx,
    id: string,
    change: { readonly step: Step; readonly progress: Progress; readonly error: string | null },
  ): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, change);
  }

  async end(tx: Tx, id: string, state: 'completed' | 'failed'): Promise<void> {
    await tx.manager.update(OrganizationRunEntity, { id }, { state, finishedAt: () => 'now()' });
  }
}
