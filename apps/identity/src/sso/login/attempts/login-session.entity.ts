import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in attempt between its start and its callback; single use. */
@Entity('sso_login_sessions')
export class LoginSessionEntity {
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
