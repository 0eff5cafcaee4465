import type { OrganizationStatus, OrganizationType } from '@gatehouse/contracts-tenancy';
import { FoldedColumn } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of one partner. */
@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('varchar') name!: string;
  @Column('varchar') slug!: string;
  @Column('text', { default: () => "'customer'::text" }) type!: OrganizationType;
  @Column('text', { default: () => "'active'::text" }) status!: OrganizationStatus;
  @Column('integer', { nullable: true }) maxDevices!: number | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: object;
  @Column('jsonb', { nullable: true }) ssoConfig!: object | null;
  @Column('jsonb', { nullable: true }) billingContact!: object | null;
  @Column('timestamptz', { nullable: true }) contractStart!: Date | null;
  @Column('timestamptz', { nullable: true }) contractEnd!: Date | null;
  /** The place in the partner's preferred order; 0 until the partner chooses one. */
  @Column('integer', { default: () => '0' }) position!: number;
  @Column('timestamptz', { nullable: true }) archivedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) purgeAt!: Date | null;
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  /** Lists leave out what is below a hidden organisation: one that is deleted, archived or being purged. */
  @Column({
    type: 'boolean',
    generatedType: 'STORED',
    asExpression: "((deleted_at IS NOT NULL) OR (status = ANY (ARRAY['archived'::text, 'purging'::text])))",
    insert: false,
    update: false,
  })
  hidden!: boolean;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}
