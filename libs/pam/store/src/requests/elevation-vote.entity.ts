import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One person's approval of a request that demands several. */
@Entity('elevation_votes')
export class ElevationVoteEntity {
  @PrimaryColumn('uuid') elevationRequestId!: string;
  @PrimaryColumn('uuid') userId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('text') userName!: string;
  /** The identity provider whose session gave the vote; the vote ends when the provider does. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  /** How long the voter wants the window to last. */
  @Column('integer') minutes!: number;
  @Column('timestamptz', { default: () => 'now()' }) votedAt!: Date;
  /** When the voter turned out to have lost the right to vote. */
  @Column('timestamptz', { nullable: true }) voidedAt!: Date | null;
}
