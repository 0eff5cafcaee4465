import type { FreezeLevel, FreezeMode } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An emergency freeze of a device, a site, an organisation or a partner. */
@Entity('pam_freezes')
export class FreezeEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for every organisation of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') level!: FreezeLevel;
  @Column('uuid') targetId!: string;
  @Column('text') mode!: FreezeMode;
  @Column('text') reason!: string;
  @Column('uuid') createdBy!: string;
  @Column('text') createdByName!: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** When it was lifted or expired. */
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('uuid', { nullable: true }) liftedBy!: string | null;
  @Column('text', { nullable: true }) liftedByName!: string | null;
  @Column('text', { nullable: true }) liftReason!: string | null;
  /** Windows that were ended. */
  @Column('integer', { default: () => '0' }) revoked!: number;
  /** Actuations that were withdrawn. */
  @Column('integer', { default: () => '0' }) withdrawn!: number;
  /** No window is left to end. */
  @Column('boolean') done!: boolean;
  /** Technicians were asked about the requests that still waited when a lockdown ended. */
  @Column('boolean') asked!: boolean;
  @Column('uuid', { nullable: true }) askedUpTo!: string | null;
  /** Until when one replica does the work of the freeze. */
  @Column('timestamptz', { nullable: true }) leasedUntil!: Date | null;
}
