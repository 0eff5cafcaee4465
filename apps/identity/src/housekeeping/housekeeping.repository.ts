import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/**
 * Ended sessions are kept for a week, so that reuse of their refresh tokens is still detected; short-lived rows are
 * deleted at once.
 */
const DELETE_EXPIRED = {
  sessions: `DELETE FROM sessions WHERE expires_at < now() - interval '7 days'
    OR revoked_at < now() - interval '7 days'`,
  refreshTokens: `DELETE FROM refresh_tokens WHERE expires_at < now() - interval '1 day'`,
  mfaChallenges: 'DELETE FROM mfa_challenges WHERE expires_at < now()',
  webauthnCeremonies: 'DELETE FROM webauthn_ceremonies WHERE expires_at < now()',
  unconfirmedFactors: `DELETE FROM mfa_factors WHERE confirmed_at IS NULL AND created_at < now() - interval '1 day'`,
  offers: 'DELETE FROM membership_offers WHERE expires_at < now()',
  invitationMails: `DELETE FROM invitation_mails WHERE sent_at < now() - interval '1 day'`,
  passwordResets: 'DELETE FROM password_resets WHERE expires_at < now()',
} as const;
const IS_UNATTACHED = 'NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)';
const LOCK_UNATTACHED = `
  SELECT u.id FROM users u WHERE u.updated_at < now() - interval '1 hour' AND ${IS_UNATTACHED} LIMIT 100 FOR
    UPDATE SKIP LOCKED`;
const DELETE_UNATTACHED = `
  DELETE FROM users u WHERE u.id = ANY ($1::uuid[]) AND ${IS_UNATTACHED} RETURNING id AS user_id, name, email, version`;

export type ExpiringRows = keyof typeof DELETE_EXPIRED;
export const EXPIRING_ROWS = Object.keys(DELETE_EXPIRED) as ExpiringRows[];

export interface DeletedUser {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly version: number;
}

@Injectable()
export class HousekeepingRepository {
  async deleteExpired(tx: Tx, rows: ExpiringRows): Promise<void> {
    await tx.query(DELETE_EXPIRED[rows]);
  }

  /**
   * Deletes up to 100 users without a membership. A transaction that is adding a membership locks its user; that user
   * is skipped until the next run.
   */
  async deleteUnattachedUsers(tx: Tx): Promise<DeletedUser[]> {
    const locked = await tx.query<{ id: string }>(LOCK_UNATTACHED);
    return tx.query<DeletedUser>(DELETE_UNATTACHED, [locked.map(({ id }) => id)]);
  }
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.bootstrap_admin'))`;
const ANY_USER = 'SELECT id FROM users LIMIT 1';

@Injectable()
export class BootstrapRepository {
  /** Whether there are no users yet. The lock serialises replicas that start together; only the first finds none. */
  async isWithoutUsers(tx: Tx): Promise<boolean> {
    await tx.query(LOCK);
    return (await tx.one(ANY_USER)) === null;
  }
}
