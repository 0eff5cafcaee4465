import type { TenantScope, UserCaller } from '@gatehouse/contracts-core';
import type { ApiKeyRecord } from '@gatehouse/contracts-identity';
import { Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { ApiKeyEntity } from './api-key.entity.ts';
import type { KeyOwner } from './keys-in-reach.ts';

const FIELDS =
  'k.id, k.name, k.hint, k.permissions, k.user_id AS created_by, k.expires_at, k.last_used_at, k.created_at';
const SESSION_MEMBERSHIP = `SELECT m.id, m.partner_id, m.org_id FROM sessions s
  JOIN live_memberships m ON m.id = s.membership_id WHERE s.id = $1`;
const IS_FUTURE = 'SELECT $1::timestamptz > now() AS ahead';
const INSERT = `
  INSERT INTO api_keys AS k (id, user_id, membership_id, partner_id, org_id, name, key_hash, hint, permissions,
    expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${FIELDS}`;

export type OwningMembership = Pick<ApiKeyEntity, 'id' | 'partnerId' | 'orgId'>;

export interface NewApiKey extends Pick<ApiKeyRecord, 'id' | 'name' | 'hint' | 'permissions'> {
  readonly keyHash: string;
  readonly expiresAt: string | null;
}

/** Row security also hides the keys of other partners. */
const within = (scope: TenantScope, owner: KeyOwner | null): Conditions =>
  owner === null
    ? scoped(scope, { partner: 'k.partner_id', org: 'k.org_id' })
    : new Conditions().add('k.user_id = ?::uuid', owner.userId).add('k.org_id = ?::uuid', owner.orgId ?? undefined);

/**
 * API keys belong to the membership in which they were created: its user and the administrators of its tenant can reach
 * them.
 */
@Injectable()
export class ApiKeysRepository {
  /** @param owner lists only the keys of this owner; null lists all keys within reach */
  list(reader: Reader, scope: TenantScope, owner: KeyOwner | null): Promise<ApiKeyRecord[]> {
    const { where, parameters } = within(scope, owner);
    return reader.query<ApiKeyRecord>(
      `SELECT ${FIELDS} FROM api_keys k ${where} ORDER BY k.created_at DESC, k.id LIMIT 1000`,
      parameters,
    );
  }

  /** Compares with the clock of the database, as each use of the key does. */
  async isFuture(tx: Tx, time: string): Promise<boolean> {
    return (await tx.one<{ ahead: boolean }>(IS_FUTURE, [time]))?.ahead ?? false;
  }

  membershipOf(tx: Tx, sessionId: string): Promise<OwningMembership | null> {
    return tx.one<OwningMembership>(SESSION_MEMBERSHIP, [sessionId]);
  }

  async insert(
    tx: Tx,
    caller: UserCaller,
    { id: membershipId, partnerId, orgId }: OwningMembership,
    key: NewApiKey,
  ): Promise<ApiKeyRecord> {
    const row = await tx.one<ApiKeyRecord>(INSERT, [
      key.id,
      caller.userId,
      membershipId,
      partnerId,
      orgId,
      key.name,
      key.keyHash,
      key.hint,
      key.permissions,
      key.expiresAt,
    ]);
    if (!row) throw new Error('an API key was not stored');
    return row;
  }

  delete(tx: Tx, scope: TenantScope, id: string, owner: KeyOwner | null): Promise<{ name: string } | null> {
    const { where, parameters } = within(scope, owner).add('k.id = ?::uuid', id);
    return tx.one<{ name: string }>(`DELETE FROM api_keys k ${where} RETURNING k.name`, parameters);
  }
}
