import { MFA_FRESHNESS_SECONDS, type TenantScope } from '@gatehouse/contracts-core';
import type { MyMembershipRecord, SessionRecord } from '@gatehouse/contracts-identity';
import { type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { SignInMeans } from './sessions.repository.ts';

const MAX_LISTED = 200;
const MEMBERSHIP =
  'm.id, m.role_name AS role, m.partner_name, m.org_name, m.org_access, to_jsonb(m.site_ids) AS site_ids';
const OF_SESSION = `
  SELECT ${MEMBERSHIP}, s.via AS signed_in_via, s.mfa_at + $2 * interval '1 second' AS mfa_until
    FROM sessions s JOIN live_memberships m ON m.id = s.membership_id WHERE s.id = $1`;
const OF_API_KEY = `
  SELECT ${MEMBERSHIP}, NULL AS signed_in_via, NULL::timestamptz AS mfa_until
    FROM api_keys k JOIN live_memberships m ON m.id = k.membership_id WHERE k.id = $1`;
const LIST = `
  SELECT s.id, s.via AS signed_in_via, s.mfa_at, s.ip, s.user_agent, s.created_at, s.expires_at,
         coalesce((SELECT max(t.created_at) FROM refresh_tokens t
           WHERE t.session_id = s.id), s.created_at) AS refreshed_at,
           jsonb_build_object('id', m.id, 'scope', m.level, 'partnerId', m.partner_id, 'partnerName', m.partner_name,
           'orgId', m.org_id, 'orgName', m.org_name, 'role', m.role_name) AS membership
    FROM sessions s JOIN live_memberships m ON m.id = s.membership_id`;
/**
 * SQL: the session `s` can still be used; one whose last refresh token has run out, or whose exchange code was not
 * redeemed in time, has ended without being revoked.
 */
export const IS_LIVE = `s.revoked_at IS NULL AND s.expires_at > now() AND (EXISTS (SELECT FROM refresh_tokens t
   WHERE t.session_id = s.id AND t.rotated_at IS NULL AND t.expires_at > now())
     OR EXISTS (SELECT FROM sso_exchange_codes c WHERE c.session_id = s.id AND c.expires_at > now()))`;
const NEWEST_FIRST = `ORDER BY s.created_at DESC, s.id LIMIT ${MAX_LISTED}`;

/** The membership of a session or API key, and how the session was opened. */
export interface CredentialFacts extends MyMembershipRecord {
  readonly signedInVia: SignInMeans | null;
  readonly mfaUntil: string | null;
}

export type ListedSession = Omit<SessionRecord, 'current'>;

@Injectable()
export class SessionRecordsRepository {
  factsOfSession(reader: Reader, sessionId: string | null): Promise<CredentialFacts | null> {
    return reader.one<CredentialFacts>(OF_SESSION, [sessionId, MFA_FRESHNESS_SECONDS]);
  }

  factsOfApiKey(reader: Reader, apiKeyId: string): Promise<CredentialFacts | null> {
    return reader.one<CredentialFacts>(OF_API_KEY, [apiKeyId]);
  }

  /**
   * The live sessions of a user, in all tenants.
   * @param membershipId lists only the sessions in this membership; null lists all
   */
  listOfUser(reader: Reader, userId: string, membershipId: string | null): Promise<ListedSession[]> {
    const where = `WHERE ${IS_LIVE} AND s.user_id = $1 AND ($2::uuid IS NULL OR s.membership_id = $2::uuid)`;
    return reader.query<ListedSession>(`${LIST} ${where} ${NEWEST_FIRST}`, [userId, membershipId]);
  }

  findOfUser(reader: Reader, userId: string, id: string): Promise<ListedSession | null> {
    return reader.one<ListedSession>(`${LIST} WHERE ${IS_LIVE} AND s.user_id = $1 AND s.id = $2`, [userId, id]);
  }

  /** The live sessions of a user in the memberships within the scope. */
  listWithin(reader: Reader, scope: TenantScope, userId: string): Promise<ListedSession[]> {
    const reach = scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' })
      .add('s.user_id = ?::uuid', userId)
      .raw(IS_LIVE);
    return reader.query<ListedSession>(`${LIST} ${reach.where} ${NEWEST_FIRST}`, reach.parameters);
  }
}
