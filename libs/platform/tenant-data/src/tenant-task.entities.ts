import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A step of a merge or purge that this service was asked to perform. */
@Entity('tenant_tasks')
export class TenantTaskEntity {
  @PrimaryColumn('uuid') runId!: string;
  @PrimaryColumn('text') step!: string;
  /** The organisation whose rows are moved or deleted. */
  @Column('uuid') sourceId!: string;
  /** The organisation that takes them over; null for a purge. */
  @Column('uuid', { nullable: true }) targetId!: string | null;
  @Column('bigint', { default: () => '0' }) rowsDone!: number;
  @Column('integer', { default: () => '0' }) attempts!: number;
  /** Until then one replica works on the step. */
  @Column('timestamptz', { default: () => "'-infinity'" }) leasedUntil!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) doneAt!: Date | null;
}

/** A row that a merge moved, as it was before, so that a rollback can move it back. */
@Entity('tenant_moves')
export class TenantMoveEntity {
  @PrimaryColumn('bigint', { generated: 'increment' }) id!: number;
  @Column('uuid') runId!: string;
  @Column('text') tableName!: string;
  @Column('jsonb') rowKey!: Readonly<Record<string, unknown>>;
  @Column('jsonb') before!: Readonly<Record<string, unknown>>;
}

/** The entities of the tables of {@link TenantTasksSchema1700000000002}. */
export const TENANT_TASK_ENTITIES = [TenantTaskEntity, TenantMoveEntity] as const;
