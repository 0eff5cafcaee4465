import type { ElevationStatus } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The first answer to a report, which an identical report gets again. */
@Entity('report_receipts')
export class ReportReceiptEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @PrimaryColumn('bytea') bodyHash!: Buffer;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** Null for an ignored report. */
  @Column('uuid', { nullable: true }) requestId!: string | null;
  @Column('text') status!: ElevationStatus | 'ignored';
  @Column('timestamptz', { default: () => 'now()' }) receivedAt!: Date;
}
