import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a rule matched on one day (UTC). */
@Entity('pam_rule_usage')
export class RuleUseEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('bigint') matches!: number;
  @Column('timestamptz') lastMatchedAt!: Date;
}
