import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PasswordResetEntity } from './credential.entities.ts';

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
