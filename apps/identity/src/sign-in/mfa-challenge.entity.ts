import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SignInMeans } from '../sessions/session.entities.ts';

/** A sign-in that waits for a second factor. */
@Entity('mfa_challenges')
export class MfaChallengeEntity {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') membershipId!: string;
  /** A provider's sign-in never waits here: its second factor is the provider's own. */
  @Column('text') via!: Exclude<SignInMeans, 'sso'>;
  @Column('integer', { default: () => '0' }) attempts!: number;
  /** The challenge that a passkey must sign. */
  @Column('text', { nullable: true }) webauthnChallenge!: string | null;
  @Column('timestamptz') expiresAt!: Date;
}
