import type { SignInMeans } from '@gatehouse/contracts-identity';
import type { Reader, SqlParameter, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
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

/** SQL: whether what a session made still stands: the link that signed in, at an active provider, if there was one. */
export const standsOn = (provider: string, link: string): string => `(${provider} IS NULL OR EXISTS (
  SELECT FROM sso_identity_links i JOIN sso_providers p ON p.id = i.provider_id AND p.status = 'active'
    JOIN users u ON u.id = i.user_id AND (i.self_linked OR NOT u.break_glass) WHERE i.id = ${link}))`;

/** The first sign-in of an invited user, by any method, accepts the invitation. A concurrent suspension is kept. */
const INSERT = `
  WITH opened AS (
    INSERT INTO sessions (id, user_id, membership_id, via, provider_id, confined_org_id, mfa_at, mfa_via, ip,
      user_agent, expires_at)
    SELECT $1, m.user_id, m.id, $4, $5, $6::uuid, CASE WHEN $7::text IS NULL THEN NULL ELSE now()
      END, $7, $8, $9, now() + interval '30 days'
      FROM live_memberships m WHERE m.id = $3 AND m.user_id = $2 AND ($6::uuid IS NULL OR m.org_id = $6::uuid)
    RETURNING id, user_id),
  arrived AS (
    UPDATE users u SET last_login_at = now(), status = CASE u.status WHEN 'invited' THEN 'active' ELSE u.status END
      FROM opened o JOIN users before ON before.id = o.user_id
     WHERE u.id = before.id RETURNING before.status AS status_before, u.name, u.email)
  SELECT arrived.* FROM opened CROSS JOIN arrived`;
const CONTINUE = `
  INSERT INTO sessions (id, user_id, membership_id, via, provider_id, confined_org_id, mfa_at, mfa_via, ip, user_agent,
    created_at, expires_at, in_cookie)
  SELECT $2, user_id, membership_id, via, provider_id, confined_org_id, now(), $3, ip, user_agent, created_at,
    expires_at, in_cookie
    FROM sessions WHERE id = $1 AND revoked_at IS NULL AND expires_at > now() RETURNING in_cookie`;
const MOVE = `
  INSERT INTO sessions (id, user_id, membership_id, via, mfa_at, mfa_via, ip, user_agent, created_at, expires_at,
    in_cookie)
  SELECT $2, s.user_id, m.id, s.via, s.mfa_at, s.mfa_via, $4, $5, s.created_at, s.expires_at, s.in_cookie
    FROM sessions s JOIN live_memberships m ON m.id = $3 AND m.user_id = s.user_id
   WHERE s.id = $1 AND s.via <> 'sso' AND s.revoked_at IS NULL AND s.expires_at > now() RETURNING in_cookie`;
const FIND_LIVE = `
  SELECT via, membership_id, mfa_at, in_cookie FROM sessions WHERE id = $1 AND revoked_at IS NULL
    AND expires_at > now()`;
const KEEP_IN_COOKIE = `
  UPDATE sessions s SET in_cookie = true FROM refresh_tokens t WHERE t.token_hash = $1 AND s.id = t.session_id`;
const PLACE_OF_PROVIDER = `SELECT membership_id FROM sessions WHERE id = $1 AND via = 'sso'`;
const IS_OF_ONE_TENANT = `SELECT id FROM sessions WHERE id = $1 AND via = 'sso' AND membership_count(user_id) > 1`;

const END = 'UPDATE sessions SET revoked_at = now(), revoke_reason = $1 WHERE revoked_at IS NULL';
const END_OF_USER = `${END} AND user_id = $2 AND id IS DISTINCT FROM $3::uuid AND ($4::uuid IS NULL
  OR membership_id = $4::uuid) AND ($5::uuid IS NULL OR provider_id = $5::uuid) RETURNING id, user_id`;
const END_ONE = `${END} AND id = $2 RETURNING id, user_id`;
const END_OF_PASSWORD_ORIGIN = `${END} AND user_id = ANY ($2::uuid[])
  AND via <> 'sso' AND is_membership_governed(membership_id) RETURNING id, user_id`;
const END_OF_UNLINKED_PROVIDERS = `${END} AND user_id = $2 AND via = 'sso' AND NOT EXISTS (
    SELECT FROM sso_identity_links l WHERE l.provider_id = sessions.provider_id AND l.user_id = sessions.user_id
      AND l.self_linked)
  RETURNING id, user_id`;
const KEYS_OF_PROVIDER = 'SELECT id FROM api_keys WHERE provider_id = $1';
const END_OF_PROVIDER = `${END} AND provider_id = $2 RETURNING id, user_id`;
const DROP_PROVIDER_MFA = `
  UPDATE sessions SET mfa_at = NULL, mfa_via = NULL
   WHERE provider_id = $1 AND mfa_via = 'idp' AND revoked_at IS NULL RETURNING id, user_id`;
const LOCK_USERS = 'SELECT id FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE';
const LOCK_USERS_OF_PROVIDER = `SELECT id FROM users
  WHERE id IN (SELECT user_id FROM sessions WHERE provider_id = $1 AND revoked_at IS NULL) ORDER BY id FOR UPDATE`;
const GOVERNED = 'SELECT id FROM unnest($1::uuid[]) AS id WHERE is_governed(id)';
const DELETE_CHALLENGES = 'DELETE FROM mfa_challenges WHERE user_id = ANY ($1::uuid[])';
const DELETE_CHALLENGES_OF_MEMBERSHIP = `${DELETE_CHALLENGES} AND ($2::uuid IS NULL OR membership_id = $2::uuid)`;
const DELETE_GOVERNED_CHALLENGES = `${DELETE_CHALLENGES} AND is_membership_governed(membership_id)`;

/** Whose session was opened, and the account's status before this sign-in. */
export interface SignedInUser {
  readonly statusBefore: string;
  readonly name: string;
  readonly email: string;
}

export interface NewSession extends Pick<
  SessionEntity,
  'userId' | 'membershipId' | 'via' | 'providerId' | 'confinedOrgId'
> {
  readonly sessionId: string;
  /** The second factor that was proved at the sign-in, or null. */
  readonly mfa: { readonly via: string } | null;
}

export type CookieMode = Pick<SessionEntity, 'inCookie'>;
export type LiveSession = Pick<SessionEntity, 'via' | 'membershipId' | 'mfaAt' | 'inCookie'>;

export interface EndedSession {
  readonly id: string;
  readonly userId: string;
}

export interface SessionFilter {
  /** The session to keep: the one that makes the request. */
  readonly exceptSessionId?: string | null;
  readonly membershipId?: string;
  readonly providerId?: string;
}

/** Sessions of users in all tenants, for identity itself. */
@Injectable()
export class SessionsRepository {
  /** @returns null when the membership does not permit a sign-in (any more) */
  insert(tx: Tx, session: NewSession): Promise<SignedInUser | null> {
    const { sessionId, userId, membershipId, via, providerId, confinedOrgId, mfa } = session;
    const { ip, userAgent } = tx.caller.origin;
    return tx.one<SignedInUser>(INSERT, [
      sessionId,
      userId,
      membershipId,
      via,
      providerId,
      confinedOrgId,
      mfa?.via ?? null,
      ip,
      userAgent?.slice(0, 400) ?? null,
    ]);
  }

  /** Copies a live session to a new id, with a second factor proved now. @returns null when it is not alive */
  continueAs(
    tx: Tx,
    id: string,
    { newId, mfaVia }: { readonly newId: string; readonly mfaVia: string },
  ): Promise<CookieMode | null> {
    return tx.one<CookieMode>(CONTINUE, [id, newId, mfaVia]);
  }

  /**
   * Copies a live session that no provider opened to a new id in another membership of its user. Its end and its second
   * factor stay as they are.
   * @returns null when the session or the membership is not alive
   */
  moveTo(
    tx: Tx,
    id: string,
    { newId, membershipId }: { readonly newId: string; readonly membershipId: string },
  ): Promise<CookieMode | null> {
    const { ip, userAgent } = tx.caller.origin;
    return tx.one<CookieMode>(MOVE, [id, newId, membershipId, ip, userAgent?.slice(0, 400) ?? null]);
  }

  /** The ids of the API keys that were made in sessions of a provider. */
  async keysOfProvider(tx: Tx, providerId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(KEYS_OF_PROVIDER, [providerId])).map(({ id }) => id);
  }

  findLive(reader: Reader, id: string | null): Promise<LiveSession | null> {
    return reader.one<LiveSession>(FIND_LIVE, [id]);
  }

  /** Marks the session of a refresh token: from now on, its refresh tokens travel in a cookie. */
  async keepInCookie(statement: Reader, tokenHash: string): Promise<void> {
    await statement.query(KEEP_IN_COOKIE, [tokenHash]);
  }

  /** The membership of a session that a provider opened, also of one that has ended; undefined for other sessions. */
  async confinement(reader: Reader, id: string): Promise<string | undefined> {
    return (await reader.one<{ membershipId: string }>(PLACE_OF_PROVIDER, [id]))?.membershipId;
  }

  /** Whether a provider of one tenant opened this session of a user who has memberships in other tenants too. */
  async isOfOneTenant(reader: Reader, id: string | null): Promise<boolean> {
    return (await reader.one(IS_OF_ONE_TENANT, [id])) !== null;
  }

  /**
   * Opening or renewing a session takes a shared lock on its user. This exclusive lock, taken in id order, waits for
   * such transactions and makes later ones wait. It is a separate statement so that the revoking statement after it
   * sees the sessions that they committed.
   */
  async lockUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
    await tx.query(LOCK_USERS, [userIds]);
  }

  /** Like {@link lockUsers}, for the users with a live session that this provider opened. */
  async lockUsersOfProvider(tx: Tx, providerId: string): Promise<void> {
    await tx.query(LOCK_USERS_OF_PROVIDER, [providerId]);
  }

  async governedAmong(tx: Tx, userIds: readonly string[]): Promise<string[]> {
    return (await tx.query<{ id: string }>(GOVERNED, [userIds])).map(({ id }) => id);
  }

  /** Deletes the sign-ins of a user that wait for a second factor, all or those to one membership. */
  async deleteChallenges(tx: Tx, userId: string, membershipId: string | null): Promise<void> {
    await tx.query(DELETE_CHALLENGES_OF_MEMBERSHIP, [[userId], membershipId]);
  }

  async deleteGovernedChallenges(tx: Tx, userIds: readonly string[]): Promise<void> {
    await tx.query(DELETE_GOVERNED_CHALLENGES, [userIds]);
  }

  endOne(tx: Tx, id: string, reason: string): Promise<EndedSession[]> {
    return this.ended(tx, END_ONE, [reason, id]);
  }

  endOfUser(
    tx: Tx,
    userId: string,
    { reason, exceptSessionId, membershipId, providerId }: SessionFilter & { readonly reason: string },
  ): Promise<EndedSession[]> {
    const filter = [exceptSessionId ?? null, membershipId ?? null, providerId ?? null];
    return this.ended(tx, END_OF_USER, [reason, userId, ...filter]);
  }

  /** Ends sessions that a password or an invitation opened in memberships that are governed now. */
  endOfPasswordOrigin(tx: Tx, userIds: readonly string[], reason: string): Promise<EndedSession[]> {
    return this.ended(tx, END_OF_PASSWORD_ORIGIN, [reason, userIds]);
  }

  /** Ends sessions that providers opened to which the user did not link an identity themselves. */
  endOfUnlinkedProviders(tx: Tx, userId: string, reason: string): Promise<EndedSession[]> {
    return this.ended(tx, END_OF_UNLINKED_PROVIDERS, [reason, userId]);
  }

  endOfProvider(tx: Tx, providerId: string, reason: string): Promise<EndedSession[]> {
    return this.ended(tx, END_OF_PROVIDER, [reason, providerId]);
  }

  /** @returns the sessions that lost their second factor, and continue without one */
  dropProviderMfa(tx: Tx, providerId: string): Promise<EndedSession[]> {
    return this.ended(tx, DROP_PROVIDER_MFA, [providerId]);
  }

  private ended(tx: Tx, sql: string, parameters: SqlParameter[]): Promise<EndedSession[]> {
    return tx.query<EndedSession>(sql, parameters);
  }
}
