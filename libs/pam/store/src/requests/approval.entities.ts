import type { ApprovalStatus } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The request to one technician to decide one elevation request. */
@Entity('approvals')
export class ApprovalEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') elevationRequestId!: string;
  @Column('uuid') userId!: string;
  @Column('text') userName!: string;
  @Column('text', { default: () => "'pending'::text" }) status!: ApprovalStatus;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) decidedAt!: Date | null;
  /** Null for approvals from before technicians' open approvals of a device were limited. */
  @Column('uuid', { nullable: true }) deviceId!: string | null;
}

/** A pending request for which more technicians need approvals. */
@Entity('approval_questions')
export class ApprovalQuestionEntity {
  @PrimaryColumn('uuid') elevationRequestId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid', { nullable: true }) siteId!: string | null;
  /** The last technician who has an approval; they are asked in the order of their ids. */
  @Column('uuid') askedUpTo!: string;
  @Column('uuid', { nullable: true }) deviceId!: string | null;
  /** Waits until a technician has fewer open approvals of the device. */
  @Column('boolean', { default: () => 'false' }) parked!: boolean;
}

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
