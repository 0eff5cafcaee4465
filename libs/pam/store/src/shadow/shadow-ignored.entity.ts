import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many ignored prompts of a day a shadow rule matches. */
@Entity('pam_shadow_ignored')
export class ShadowIgnoredEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('bigint') hits!: number;
}
