import type { RunAs, ScriptParameterDto } from '@gatehouse/contracts-tenancy';
import { FoldedColumn } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A script that technicians run on devices. */
@Entity('scripts')
export class ScriptEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the script is available to every organisation of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('varchar', { nullable: true }) description!: string | null;
  @Column('varchar', { nullable: true }) category!: string | null;
  @Column('varchar') language!: string;
  @Column('text') content!: string;
  @Column('text', { default: () => "'system'::text" }) runAs!: RunAs;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) parameters!: ScriptParameterDto[];
  /** Severity by exit code; 0 always means success. */
  @Column('jsonb', { default: () => "'{}'::jsonb" }) exitCodeSeverityMapping!: Record<string, unknown>;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}
