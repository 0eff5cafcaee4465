import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

const INSERT = `INSERT INTO password_resets (token_hash, user_id, expires_at)
  VALUES ($1, $2, now() + interval '1 hour')`;
const IS_VALID = 'SELECT user_id FROM password_resets WHERE token_hash = $1 AND expires_at > now()';
const CONSUME = 'DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING user_id';

/** The mailed links to set a new password. */
@Injectable()
export class ResetLinksRepository {
  async insert(tx: Tx, userId: string, tokenHash: string): Promise<void> {
    await tx.query(INSERT, [tokenHash, userId]);
  }

  async isValid(reader: Reader, tokenHash: string): Promise<boolean> {
    return (await reader.one(IS_VALID, [tokenHash])) !== null;
  }

  /** @returns the user to whom the link was mailed, or null when it is not valid (any more) */
  async consume(tx: Tx, tokenHash: string): Promise<string | null> {
    return (await tx.one<{ userId: string }>(CONSUME, [tokenHash]))?.userId ?? null;
  }

  /**
   * Revokes the links that were mailed to a user. Call it in every unit of work that changes a password or a factor: a
   * link that an attacker requested earlier must not undo the change.
   */
  async revoke(tx: Tx, userId: string): Promise<void> {
    await tx.manager.delete(PasswordResetEntity, { userId });
  }
}

/** The password of a user. Users whom only a provider signs in have none. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') passwordHash!: string;
  @Column('integer', { default: () => '0' }) failedAttempts!: number;
  @Column('timestamptz', { nullable: true }) lockedUntil!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) changedAt!: Date;
}

/** A link that was mailed to set a new password. */
@Entity('password_resets')
export class PasswordResetEntity {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') userId!: string;
  @Column('timestamptz') expiresAt!: Date;
}

const INSERT_UNLESS_PRESENT = `
  INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING`;
const STORE = `
  INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET password_hash = EXCLUDED.password_hash, failed_attempts = 0, locked_until = NULL,
    changed_at = now()`;
const REPLACE = `
  UPDATE credentials SET password_hash = $3, failed_attempts = 0, locked_until = NULL, changed_at = now()
   WHERE user_id = $1 AND password_hash = $2 RETURNING user_id`;
/** Five failures lock the account for 15 minutes; the first failure after that starts a new count. */
const COUNT_FAILURE = `
  UPDATE credentials
     SET failed_attempts = CASE WHEN locked_until <= now() THEN 1 ELSE failed_attempts + 1 END,
         locked_until = CASE WHEN locked_until <= now() OR failed_attempts + 1 < 5 THEN NULL
           ELSE now() + interval '15 minutes' END
   WHERE user_id = $1 AND $2::boolean`;
const CLEAR_FAILURES = `
  UPDATE credentials SET failed_attempts = 0, locked_until = NULL
   WHERE user_id = $1 AND password_hash = $2 AND (locked_until IS NULL OR locked_until <= now()) RETURNING user_id`;

/** The passwords of users, for identity itself. */
@Injectable()
export class CredentialsRepository {
  async insert(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    await tx.manager.insert(CredentialEntity, { userId, passwordHash });
  }

  /** Sets a first password; an existing one stays. */
  async insertUnlessPresent(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    await tx.query(INSERT_UNLESS_PRESENT, [userId, passwordHash]);
  }

  async passwordHashOf(reader: Reader, userId: string): Promise<string | null> {
    return (await reader.manager.findOneBy(CredentialEntity, { userId }))?.passwordHash ?? null;
  }

  /**
   * Sets the password and unlocks the account: the user has proved more than an attacker who guesses passwords could.
   */
  async store(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    await tx.query(STORE, [userId, passwordHash]);
  }

  /**
   * Replaces the proved password with a new one.
   * @returns false when the proved password is no longer the current one
   */
  async replace(
    tx: Tx,
    userId: string,
    { shown, next }: { readonly shown: string | null; readonly next: string },
  ): Promise<boolean> {
    return (await tx.one(REPLACE, [userId, shown, next])) !== null;
  }

  /**
   * Counts a wrong password towards the lock.
   * @param isWrong false runs the same statement without an effect, so that every failure takes equally long
   */
  async countFailure(tx: Tx, userId: string | null, isWrong: boolean): Promise<void> {
    await tx.query(COUNT_FAILURE, [userId, isWrong]);
  }

  /** @returns false when the password has been replaced since, or parallel failures have locked the account */
  async clearFailures(tx: Tx, userId: string, passwordHash: string | null): Promise<boolean> {
    return (await tx.one(CLEAR_FAILURES, [userId, passwordHash])) !== null;
  }
}
