import type { ApprovalLevelDto } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many approvals an organisation's requests demand, and who must not vote; absent means one approval. */
@Entity('pam_approval_policies')
export class ApprovalPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) levels!: ApprovalLevelDto[];
  @Column('smallint') defaultApprovals!: number;
  /** Null for that of the installation. */
  @Column('integer', { nullable: true }) defaultPendingMinutes!: number | null;
  /** Whether the editors of the rule that matched are kept from voting. */
  @Column('boolean', { default: () => 'false' }) ruleEditors!: boolean;
  /** Whether the user of an AI agent is kept from voting about its actions. */
  @Column('boolean', { default: () => 'false' }) aiRequester!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
