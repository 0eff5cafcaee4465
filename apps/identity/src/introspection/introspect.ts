import { asService, MFA_FRESHNESS_SECONDS, type Permission, type ServiceCaller } from '@gatehouse/contracts-core';
import type { IntrospectionResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { apiKeyPrincipal, type CredentialRow, sessionPrincipal } from './principals.ts';

const MEMBERSHIP =
  'm.level, m.partner_id, m.org_id, m.org_access, m.org_ids, m.site_ids, m.permissions, m.partner_active';
const SESSION = `
  SELECT s.id, s.user_id, m.name, m.email, ${MEMBERSHIP}, coalesce(s.mfa_at > now() - make_interval(secs => $2), false) AS mfa
    FROM sessions s JOIN live_memberships m ON m.id = s.membership_id
   WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now()`;
/** Also records the key's last use, to the minute. */
const API_KEY = `
  WITH used AS (
    UPDATE api_keys SET last_used_at = now()
     WHERE key_hash = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute') AND (expires_at IS NULL OR expires_at > now()))
  SELECT k.id, k.user_id, k.name, NULL AS email, ${MEMBERSHIP}, k.permissions AS given, coalesce(k.expires_at <= now(), false) AS expired
    FROM api_keys k JOIN live_memberships m ON m.id = k.membership_id
   WHERE k.key_hash = $1`;

type SessionRow = CredentialRow & { readonly mfa: boolean };
type ApiKeyRow = CredentialRow & { readonly given: readonly Permission[]; readonly expired: boolean };

/**
 * Uses the background connection pool, which requests cannot exhaust: while a route of identity is stuck, the gateway
 * can still authenticate all other callers.
 */
const inBackground = ({ id }: ServiceCaller): ServiceCaller => asService(id);

/** POST /internal/introspect: a single statement reads what a credential currently permits. */
@Injectable()
export class Introspect {
  constructor(private readonly work: UnitOfWork) {}

  async session(caller: ServiceCaller, sessionId: string): Promise<IntrospectionResponse> {
    const row = await this.work.backgroundRead(inBackground(caller), (reader) =>
      reader.one<SessionRow>(SESSION, [sessionId, MFA_FRESHNESS_SECONDS]),
    );
    return row ? { active: true, principal: sessionPrincipal(row) } : { active: false, code: 'session_revoked' };
  }

  async apiKey(caller: ServiceCaller, keyHash: string): Promise<IntrospectionResponse> {
    const row = await this.work.background(inBackground(caller), (tx) => tx.one<ApiKeyRow>(API_KEY, [keyHash]));
    if (!row) return { active: false, code: 'token_invalid' };
    return row.expired ? { active: false, code: 'token_expired' } : { active: true, principal: apiKeyPrincipal(row) };
  }
}
