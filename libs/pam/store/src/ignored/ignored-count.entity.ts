import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of prompts that rules ignored at a site within an hour; of earlier times, within a day. */
@Entity('ignored_counts')
export class IgnoredCountEntity {
  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' }) id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') siteId!: string;
  @Column('timestamptz') at!: Date;
  @Column('bigint') count!: number;
}
