import type { EscalationStepRecord, FlowType } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What happens while a request of the organisation waits, and who hears how requests end. */
@Entity('pam_escalation_policies')
export class EscalationPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  /** Ascending by their numbers and times. */
  @Column('jsonb') steps!: EscalationStepRecord[];
  /** Null for requests of every kind. */
  @Column('text', { array: true, nullable: true }) flowTypes!: FlowType[] | null;
  @Column('boolean') tellDevice!: boolean;
  @Column('boolean') tellRequester!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
