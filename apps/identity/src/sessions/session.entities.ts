import type { SignInMeans } from '@gatehouse/contracts-identity';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type { SignInMeans };

/** One sign-in of a user to one membership. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') membershipId!: string;
  @Column('text') via!: SignInMeans;
  /** The identity provider that signed the user in. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  /** The organisation whose provider opened the session; the session's reach ends there. */
  @Column('uuid', { nullable: true }) confinedOrgId!: string | null;
  @Column('timestamptz', { nullable: true }) mfaAt!: Date | null;
  /** The second factor that was proved: a method of ours, or `idp` for that of the identity provider. */
  @Column('text', { nullable: true }) mfaVia!: string | null;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
  @Column('text', { nullable: true }) revokeReason!: string | null;
  /** The refresh token travels in a cookie and never in a body. */
  @Column('boolean', { default: () => 'false' }) inCookie!: boolean;
}

/** A refresh token of a session. Rotated tokens are kept, so that their reuse is detected. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { nullable: true }) rotatedAt!: Date | null;
  /** The token that replaced this one, for a client that lost the response. */
  @Column('text', { nullable: true }) successorSealed!: string | null;
}
