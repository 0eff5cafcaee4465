import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A second factor of a user: an authenticator app or a passkey. */
@Entity('mfa_factors')
export class MfaFactorEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') kind!: 'totp' | 'webauthn';
  @Column('text') name!: string;
  /** The secret of an authenticator app. */
  @Column('text', { nullable: true }) secretSealed!: string | null;
  /** The last time step whose code was used (RFC 6238 5.2). */
  @Column('bigint', { nullable: true }) lastStep!: number | null;
  @Column('text', { nullable: true }) credentialId!: string | null;
  @Column('bytea', { nullable: true }) publicKey!: Buffer | null;
  /** The signature counter that the passkey's authenticator reported last. */
  @Column('bigint', { nullable: true }) counter!: number | null;
  @Column('text', { array: true, nullable: true }) transports!: string[] | null;
  /** Null until the user has entered a first code of the authenticator app. */
  @Column('timestamptz', { nullable: true }) confirmedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** A session that an identity provider opened enrolled it, so it goes when its user joins another tenant. */
  @Column('boolean', { default: false }) byProvider!: boolean;
}

/** A code that stands in for a second factor, once. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') codeHash!: string;
}
