import type { PartnerPlan, PartnerStatus, PartnerType } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A managed-service provider. */
@Entity('partners')
export class PartnerEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('varchar') name!: string;
  @Column('varchar') slug!: string;
  @Column('text', { default: () => "'msp'::text" }) type!: PartnerType;
  @Column('text', { default: () => "'free'::text" }) plan!: PartnerPlan;
  @Column('text', { default: () => "'pending'::text" }) status!: PartnerStatus;
  @Column('integer', { nullable: true }) maxOrganizations!: number | null;
  @Column('integer', { nullable: true }) maxDevices!: number | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: Record<string, unknown>;
  @Column('jsonb', { nullable: true }) ssoConfig!: object | null;
  @Column('varchar', { nullable: true }) billingEmail!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}

/** The partner's counters, apart from the partner so that counting makes no new version; the row is the caps' lock. */
@Entity('partner_counters')
export class PartnerCounterEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @Column('integer', { default: () => '0' }) organizations!: number;
  /** The last position that was given to an organisation; null until the partner chooses an order. */
  @Column('integer', { nullable: true }) lastPosition!: number | null;
}
