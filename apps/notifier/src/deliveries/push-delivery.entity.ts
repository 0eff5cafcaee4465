import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One push to one subscription, until it is delivered, given up or expired. */
@Entity('push_deliveries')
export class PushDeliveryEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') subscriptionId!: string;
  /** The approval, or the event about the end of a request. */
  @Column('uuid') approvalId!: string;
  /** The request whose end the push is about; null for approvals. */
  @Column('uuid', { nullable: true }) elevationRequestId!: string | null;
  /** The tenant of the approval; null for deliveries of earlier releases. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The neutral text of the notification. */
  @Column('text') title!: string;
  /** When the approval expires: later attempts are pointless. */
  @Column('timestamptz') expiresAt!: Date;
  @Column('integer', { default: () => '0' }) attempts!: number;
  @Column('timestamptz', { default: () => 'now()' }) nextAttemptAt!: Date;
  @Column('timestamptz', { nullable: true }) deliveredAt!: Date | null;
  @Column('text', { nullable: true }) lastError!: string | null;
}
