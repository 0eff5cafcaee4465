import type { FactorRecord, MfaMethod } from '@gatehouse/contracts-identity';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
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

/**
 * SQL: whether a factor that is enrolled now is as good as the word of a provider only. Its session opens what the user
 * proves with such a factor, so a further factor is none of the user's own either.
 */
export const isByProvider = (userId: string, sessionId: string): string => `(EXISTS (SELECT FROM sessions s
  WHERE s.id = ${sessionId}::uuid AND s.via = 'sso') OR EXISTS (SELECT FROM mfa_factors f
  WHERE f.user_id = ${userId}::uuid AND f.by_provider AND f.confirmed_at IS NOT NULL))`;

const APP_NAME = 'Authenticator app';
const LIST = `
  SELECT id, kind, name, created_at, last_used_at FROM mfa_factors
   WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY created_at, id`;
const CONFIRMED_KINDS = `
  SELECT kind FROM mfa_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL GROUP BY kind ORDER BY kind`;
const DELETE_PENDING_TOTP = `
  DELETE FROM mfa_factors WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NULL`;
const INSERT_TOTP = `
  INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at, by_provider)
  VALUES ($1, $2, 'totp', '${APP_NAME}', $3, CASE WHEN $4::boolean THEN now() END, ${isByProvider('$2', '$5')})`;
const LOCK_PENDING_TOTP = `
  SELECT id, secret_sealed, extract(epoch FROM now())::float8 AS at FROM mfa_factors
   WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NULL AND created_at > now() - interval '1 hour' FOR UPDATE`;
/** The confirming code is used up: each time step counts once (RFC 6238 5.2). */
const CONFIRM_TOTP = `
  UPDATE mfa_factors SET confirmed_at = now(), last_step = $2, last_used_at = now() WHERE id = $1`;
const FIND_TOTP = `
  SELECT id, secret_sealed, extract(epoch FROM now())::float8 AS at FROM mfa_factors
   WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NOT NULL`;
/** Each time step counts once (RFC 6238 5.2), across all replicas. */
const USE_STEP = `
  UPDATE mfa_factors SET last_step = $2, last_used_at = now()
   WHERE id = $1 AND (last_step IS NULL OR last_step < $2) RETURNING id`;
const DELETE = `
  DELETE FROM mfa_factors WHERE id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL RETURNING kind`;
const DELETE_OF_PROVIDERS = 'DELETE FROM mfa_factors WHERE user_id = $1 AND by_provider RETURNING kind';
const DELETE_ALL = 'DELETE FROM mfa_factors WHERE user_id = $1 RETURNING kind';
const IS_VOUCHED_FOR = `
  SELECT s.id FROM sessions s
   WHERE s.id = $1 AND s.mfa_via = 'idp' AND EXISTS (SELECT FROM mfa_factors f WHERE f.user_id = s.user_id
     AND f.confirmed_at IS NOT NULL)`;
const INSERT_RECOVERY_CODES = 'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])';
const USE_RECOVERY_CODE = 'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id';

type FactorKind = MfaFactorEntity['kind'];

/** An authenticator app, with the time by the database's clock. */
export interface StoredTotp {
  readonly id: string;
  readonly secretSealed: string;
  /** Unix time in seconds. */
  readonly at: number;
}

export interface NewTotp {
  readonly id: string;
  readonly userId: string;
  readonly secretSealed: string;
}

export interface PendingTotp extends NewTotp {
  /** The session that enrols it. */
  readonly sessionId: string;
}

/** The second factors and recovery codes of users. */
@Injectable()
export class FactorsRepository {
  list(reader: Reader, userId: string): Promise<FactorRecord[]> {
    return reader.query<FactorRecord>(LIST, [userId]);
  }

  async confirmedKinds(reader: Reader, userId: string): Promise<FactorKind[]> {
    return (await reader.query<{ kind: FactorKind }>(CONFIRMED_KINDS, [userId])).map(({ kind }) => kind);
  }

  /** The methods with which the user can prove a second factor; empty without one. */
  async methodsOf(reader: Reader, userId: string): Promise<MfaMethod[]> {
    const kinds = await this.confirmedKinds(reader, userId);
    return kinds.length === 0 ? [] : [...kinds, 'recovery_code'];
  }

  /** Stores an authenticator app that has no effect until it is confirmed. It replaces an earlier unconfirmed one. */
  async insertPendingTotp(tx: Tx, { id, userId, secretSealed, sessionId }: PendingTotp): Promise<void> {
    await tx.query(DELETE_PENDING_TOTP, [userId]);
    await tx.query(INSERT_TOTP, [id, userId, secretSealed, false, sessionId]);
  }

  async insertConfirmedTotp(tx: Tx, { id, userId, secretSealed }: NewTotp): Promise<void> {
    await tx.query(INSERT_TOTP, [id, userId, secretSealed, true, null]);
  }

  lockPendingTotp(tx: Tx, userId: string): Promise<StoredTotp | null> {
    return tx.one<StoredTotp>(LOCK_PENDING_TOTP, [userId]);
  }

  async confirmTotp(tx: Tx, id: string, step: number): Promise<void> {
    await tx.query(CONFIRM_TOTP, [id, step]);
  }

  findTotp(tx: Tx, userId: string): Promise<StoredTotp | null> {
    return tx.one<StoredTotp>(FIND_TOTP, [userId]);
  }

  /** @returns false when this time step, or a later one, was used already */
  async useStep(tx: Tx, id: string, step: number): Promise<boolean> {
    return (await tx.one(USE_STEP, [id, step])) !== null;
  }

  /** @returns the kind of the deleted factor, or null when the user has no such factor */
  async delete(tx: Tx, userId: string, id: string): Promise<FactorKind | null> {
    return (await tx.one<{ kind: FactorKind }>(DELETE, [id, userId]))?.kind ?? null;
  }

  /** @returns the kinds of the deleted factors */
  async deleteAll(tx: Tx, userId: string): Promise<FactorKind[]> {
    return (await tx.query<{ kind: FactorKind }>(DELETE_ALL, [userId])).map(({ kind }) => kind);
  }

  /** Deletes those that providers' sessions enrolled. @returns the kinds of the deleted factors */
  async deleteOfProviders(tx: Tx, userId: string): Promise<FactorKind[]> {
    return (await tx.query<{ kind: FactorKind }>(DELETE_OF_PROVIDERS, [userId])).map(({ kind }) => kind);
  }

  /** Whether the session's second factor is an identity provider's although the user has a factor of their own. */
  async isVouchedFor(tx: Tx, sessionId: string | null): Promise<boolean> {
    return (await tx.one(IS_VOUCHED_FOR, [sessionId])) !== null;
  }

  async replaceRecoveryCodes(tx: Tx, userId: string, codeHashes: readonly string[]): Promise<void> {
    await this.deleteRecoveryCodes(tx, userId);
    await tx.query(INSERT_RECOVERY_CODES, [userId, codeHashes]);
  }

  async deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
    await tx.manager.delete(RecoveryCodeEntity, { userId });
  }

  /** @returns whether the user had this code */
  async useRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
    return (await tx.one(USE_RECOVERY_CODE, [userId, codeHash])) !== null;
  }
}
