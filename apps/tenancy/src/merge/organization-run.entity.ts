import type { EventActor } from '@gatehouse/contracts-core';
import type { MergeTableRecord, OrganizationStatus, RunState } from '@gatehouse/contracts-tenancy';
import type { Step } from '@gatehouse/tenant-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';

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
