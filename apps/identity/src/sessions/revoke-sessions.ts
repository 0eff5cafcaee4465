import type { SqlParameter, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPrincipalsChanged } from './publish-principals-changed.ts';

export interface SessionFilter {
  /** This session stays: the one in which the person is doing it. */
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
 * Opening or renewing a session holds a share of its person, so this waits for those under way, and those that begin
 * later wait for
 * this. Stated apart, and before, for the statement that ends the sessions to see what they left.
 */
const LOCK_USERS = `SELECT id FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`;
const LOCK_USERS_OF_PROVIDER = `SELECT id FROM users WHERE id IN (SELECT user_id FROM sessions WHERE provider_id = $1 AND revoked_at IS NULL) ORDER BY id FOR UPDATE`;
const GOVERNED = 'SELECT id FROM unnest($1::uuid[]) AS id WHERE is_governed(id)';
const DELETE_CHALLENGES = `DELETE FROM mfa_challenges WHERE user_id = ANY ($1::uuid[])`;
const DELETE_GOVERNED_CHALLENGES = `${DELETE_CHALLENGES} AND is_membership_governed(membership_id)`;

/** Ends sessions at once and tells the gateway, which forgets them within moments. The caller audits why. */
@Injectable()
export class RevokeSessions {
  /** @returns how many ended */
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
   * Sessions that a password or an invitation opened in memberships that are governed by now: what enforcement of
   * single sign-on ends.
   */
  async ofPasswordOrigin(tx: Tx, userIds: readonly string[], reason = 'sso_enforced'): Promise<number> {
    await tx.query(DELETE_GOVERNED_CHALLENGES, [userIds]);
    await tx.query(LOCK_USERS, [userIds]);
    return this.end(tx, OF_PASSWORD_ORIGIN, [reason, userIds]);
  }

  /**
   * For people who were given another place or standing: single sign-on may have been enforced there before they came.
   * @returns how many ended
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
   * For a person who becomes break-glass: only providers that they linked themselves sign them in. @returns how many
   * ended
   */
  async ofUnlinkedProviders(tx: Tx, userId: string): Promise<number> {
    await tx.query(LOCK_USERS, [[userId]]);
    return this.end(tx, OF_UNLINKED_PROVIDERS, ['break_glass', userId]);
  }

  /**
   * For a provider that is no longer trusted with it; the sessions go on without. @returns how many lost their second
   * factor
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
