import { Column, Entity, PrimaryColumn } from 'typeorm';

const UUID = { type: 'uuid', nullable: true } as const;

/** What a round trip is for, and who began it if it is a test. */
export abstract class RoundTripPurpose {
  /** A test opens no session: it ends in a record of what would have become of the user. */
  @Column('text', { default: () => "'sign_in'" }) purpose!: 'sign_in' | 'test';
  /** The id of the record in which a test ends; a sign-in gets one at its end. */
  @Column(UUID) attemptId!: string | null;
  /** The administrator who began the test, the visit of a set-up link, or the session that links an identity. */
  @Column(UUID) startedBy!: string | null;
  /** The set-up link whose visitor began the test. */
  @Column(UUID) setupLinkId!: string | null;
}

/** A sign-in attempt between its start and its callback; single use. */
@Entity('sso_login_sessions')
export class LoginSessionEntity extends RoundTripPurpose {
  @PrimaryColumn('char') stateHash!: string;
  @Column('uuid') providerId!: string;
  /** The provider's configuration generation when the attempt began. */
  @Column('integer') configVersion!: number;
  @Column('varchar') nonce!: string;
  /** The secret of PKCE. */
  @Column('varchar') codeVerifier!: string;
  /** The page of ours to which the browser returns. */
  @Column('varchar') redirectPath!: string;
  /** The signed-in user who links an identity; null for a sign-in. */
  @Column('uuid', { nullable: true }) linkingUserId!: string | null;
  /** The id of the SAML request. */
  @Column('varchar', { nullable: true }) requestId!: string | null;
  @Column('timestamptz', { default: () => "(now() + '00:10:00'::interval)" }) expiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
