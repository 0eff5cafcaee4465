import { MFA_FRESHNESS_SECONDS } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { standsOn } from '../sessions.repository.ts';
import type { CredentialRow, KeyFacts, SessionFacts } from './principals.ts';

const MEMBERSHIP =
  'm.id AS membership_id, m.name, m.email, m.level, m.partner_id, m.org_id, m.org_access, m.org_ids, m.site_ids, m.permissions, m.partner_active';
const SESSION = `
  SELECT s.id, s.user_id, ${MEMBERSHIP}, s.provider_id, s.expires_at,
    coalesce(s.mfa_at > now() - make_interval(secs => $2), false) AS mfa, s.via = 'sso' AS confined
    FROM sessions s JOIN live_memberships m ON m.id = s.membership_id
   WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now()`;
const OF_MEMBERSHIP = `
  SELECT m.user_id AS id, m.user_id, ${MEMBERSHIP}, NULL::uuid AS provider_id, NULL::timestamptz AS expires_at
    FROM live_memberships m WHERE m.id = $1`;
const KEY = `SELECT k.id, k.user_id, k.name AS label, ${MEMBERSHIP}, k.provider_id, k.expires_at,
  NOT ${standsOn('k.provider_id', 'k.link_id')} AS suspended, k.permissions AS given,
  coalesce(k.expires_at <= now(), false) AS expired
    FROM api_keys k JOIN live_memberships m ON m.id = k.membership_id`;
/** Also records the key's last use, to the minute. */
const API_KEY = `
  WITH used AS (
    UPDATE api_keys SET last_used_at = now()
     WHERE key_hash = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
       AND (expires_at IS NULL OR expires_at > now()))
  ${KEY} WHERE k.key_hash = $1`;

export type SessionRow = CredentialRow & SessionFacts;
export type ApiKeyRow = CredentialRow & KeyFacts & { readonly expired: boolean; readonly suspended: boolean };

/**
 * Reads what a credential currently permits, in a single statement each: every request that the gateway sees does so.
 */
@Injectable()
export class IntrospectionRepository {
  session(reader: Reader, sessionId: string): Promise<SessionRow | null> {
    return reader.one<SessionRow>(SESSION, [sessionId, MFA_FRESHNESS_SECONDS]);
  }

  /** What a person may at present, without a credential. */
  membership(reader: Reader, id: string): Promise<CredentialRow | null> {
    return reader.one<CredentialRow>(OF_MEMBERSHIP, [id]);
  }

  /** By its id, without counting as a use. */
  apiKey(reader: Reader, id: string): Promise<ApiKeyRow | null> {
    return reader.one<ApiKeyRow>(`${KEY} WHERE k.id = $1`, [id]);
  }

  useApiKey(tx: Tx, keyHash: string): Promise<ApiKeyRow | null> {
    return tx.one<ApiKeyRow>(API_KEY, [keyHash]);
  }
}
