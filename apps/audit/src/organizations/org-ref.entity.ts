import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the audit service knows about an organisation: its partner, and into which one it was merged. */
@Entity('org_ref')
export class OrgRefEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  /** Of the organisation's state; an older event changes nothing. */
  @Column('bigint') version!: number;
}
