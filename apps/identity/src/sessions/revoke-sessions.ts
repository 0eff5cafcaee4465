import type { SqlParameter, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPrincipalsChanged } from './publish-principals-changed.ts';

export interface SessionFilter {
  /** The session to keep: the one that makes the request. */
  readonly exceptSessionId?: string | null;
  readonly membershipId?: string;
}

const END = `UPDATE sessions SET revoked_at = now(), revoke_reason = $1 WHERE revoked_at IS NULL`;
const OF_USER = `${END} AND user_id = $2 AND id IS DISTINCT FROM $3::uuid AND ($4::uuid IS NULL OR membership_id = $4::uuid) RETURNING id, user_id`;
const OF_SESSION = `${END} AND id = $2 RETURNING id, user_id`;
const OF_PASSWORD_ORIGIN = `${END} AND user_id = ANY ($2::uuid[]) AND via <> 'sso' AND is_membership_governed(membership_id) RETURNING id, user_id`;
const OF_UNLINKED_PROVIDERS = `${END} AND user_id = $2 AND via = 'sso' AND NOT EXISTS (
    SELECT FROM sso_identity_links l WHERE l.provider_id = sessions.provider_id AND l.user_id = sessions.user_id AND l.self_linked)
  RETURNING id, user_id`;
const WITHOUT_PROVIDER_MFA = `
  UPDATE sessions SET mfa_at = NULL, mfa_via = NULL
   WHERE provider_id = $1 AND mfa_via = 'idp' AND revoked_at IS NULL RETURNING id, user_id`;
const OF_PROVIDER = `${END} AND provider_id = $2 RETURNING id, user_id`;
/**
 * Opening or renewing a session takes a shared lock on its user. This exclusive lock, taken in id order, waits for such
 * transactions and makes later ones wait. It is a separate statement so that the revoking statement after it sees the
 * sessions that they committed.
 */
const LOCK_USERS = `SELECT id FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`;
const LOCK_USERS_OF_PROVIDER = `SELECT id FROM users WHERE id IN (SELECT user_id FROM sessions WHERE provider_id = $1 AND revoked_at IS NULL) ORDER BY id FOR UPDATE`;
const GOVERNED = 'SELECT id FROM unnest($1::uuid[]) AS id WHERE is_governed(id)';
const DELETE_CHALLENGES = `DELETE FROM mfa_challenges WHERE user_id = ANY ($1::uuid[])`;
const DELETE_GOVERNED_CHALLENGES = `${DELETE_CHALLENGES} AND is_membership_governed(membership_id)`;

/**
 * Revokes sessions and publishes that they ended, so the gateway drops them from its cache within moments. The calling
 * operation audits the reason.
 */
@Injectable()
export class RevokeSessions {
  /** @returns the number of revoked sessions */
  async ofUser(tx: Tx, userId: string, reason: string, filter: SessionFilter = {}): Promise<number> {
    await tx.query(`${DELETE_CHALLENGES} AND ($2::uuid IS NULL OR membership_id = $2::uuid)`, [
      [userId],
      filter.membershipId ?? null,
    ]);
    await tx.query(LOCK_USERS, [[userId]]);
    return this.end(tx, OF_USER, [reason, userId, filter.exceptSessionId ?? null, filter.membershipId ?? null]);
  }

  ofSession(tx: Tx, sessionId: string, reason: string): Promise<number> {
    return this.end(tx, OF_SESSION, [reason, sessionId]);
  }

  /**
   * Revokes sessions that a password or an invitation opened in memberships that are now governed: enforcement of
   * single sign-on ends them.
   */
  async ofPasswordOrigin(tx: Tx, userIds: readonly string[], reason = 'sso_enforced'): Promise<number> {
    await tx.query(DELETE_GOVERNED_CHALLENGES, [userIds]);
    await tx.query(LOCK_USERS, [userIds]);
    return this.end(tx, OF_PASSWORD_ORIGIN, [reason, userIds]);
  }

  /**
   * For users whose membership or status changed: single sign-on may already be enforced in the new tenant.
   * @returns the number of revoked sessions
   */
  async ofNewlyGoverned(tx: Tx, userIds: readonly string[]): Promise<number> {
    const governed = await tx.query<{ id: string }>(GOVERNED, [userIds]);
    return governed.length > 0
      ? this.ofPasswordOrigin(
          tx,
          governed.map(({ id }) => id),
        )
      : 0;
  }

  async ofProvider(tx: Tx, providerId: string, reason: string): Promise<number> {
    await tx.query(LOCK_USERS_OF_PROVIDER, [providerId]);
    return this.end(tx, OF_PROVIDER, [reason, providerId]);
  }

  /**
   * For a user who becomes a break-glass user: only providers that they linked themselves may sign them in.
   * @returns the number of revoked sessions
   */
  async ofUnlinkedProviders(tx: Tx, userId: string): Promise<number> {
    await tx.query(LOCK_USERS, [[userId]]);
    return this.end(tx, OF_UNLINKED_PROVIDERS, ['break_glass', userId]);
  }

  /**
   * For a provider whose second factor is no longer trusted: its sessions continue without one.
   * @returns the number of sessions that lost their second factor
   */
  async dropProviderMfa(tx: Tx, providerId: string): Promise<number> {
    await tx.query(LOCK_USERS_OF_PROVIDER, [providerId]);
    return this.end(tx, WITHOUT_PROVIDER_MFA, [providerId]);
  }

  private async end(tx: Tx, sql: string, parameters: SqlParameter[]): Promise<number> {
    const ended = await tx.query<{ id: string; userId: string }>(sql, parameters);
    const [first] = ended;
    if (first)
      publishPrincipalsChanged(
        tx,
        first.userId,
        'sessionIds',
        ended.map(({ id }) => id),
      );
    return ended.length;
  }
}
