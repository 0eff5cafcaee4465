import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a rule of an organisation matched on one day (UTC). */
@Entity('pam_rule_usage')
export class RuleUseEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('bigint') matches!: number;
  @Column('timestamptz') lastMatchedAt!: Date;
}

/** How often a rule of the partner matched in one organisation on one day (UTC). */
@Entity('pam_partner_rule_usage')
export class PartnerRuleUseEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('bigint') matches!: number;
  @Column('timestamptz') lastMatchedAt!: Date;
}
