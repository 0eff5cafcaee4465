import { Column, Entity, PrimaryColumn } from 'typeorm';

const TIME = { type: 'timestamptz', nullable: true } as const;

/** A mail domain of an organisation; verified by a DNS record. */
@Entity('sso_domains')
export class DomainEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') domain!: string;
  /** The value that the DNS record must contain. */
  @Column('text') token!: string;
  @Column(TIME) verifiedAt!: Date | null;
  @Column(TIME) lastCheckedAt!: Date | null;
  /** How many checks in a row found no record. */
  @Column('integer', { default: () => '0' }) misses!: number;
  @Column(TIME) lastMissedAt!: Date | null;
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
