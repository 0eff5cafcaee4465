import { has, ProblemError, type Permission, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import type { ApiKeyPolicyRecord, ApiKeyRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { Conditions, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { standsOn } from '../sessions/sessions.repository.ts';
import { livingWithin } from '../tenants/tenant-refs/tenant-refs.repository.ts';

/** The owner of the keys that a caller reaches without administering users. */
interface KeyOwner {
  readonly userId: string;
  /** The organisation of the session: it reaches no key of the partner above it. Null for a partner's session. */
  readonly orgId: string | null;
}

/**
 * A caller who may administer users reaches every key of their tenants; other callers reach only their own.
 * @returns the owner whose keys are in reach, or null for the keys of all users
 */
export const keyOwnerInReach = (caller: UserCaller, permission: 'users:read' | 'users:write'): KeyOwner | null =>
  has(caller, permission) ? null : { userId: caller.userId, orgId: caller.orgId };

/** An API key. It carries a part of the permissions of the membership in which it was created. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') membershipId!: string;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The provider and the link by which the session was opened that made the key: it stands and falls with them. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  @Column('uuid', { nullable: true }) linkId!: string | null;
  @Column('text') name!: string;
  @Column('text') keyHash!: string;
  /** The beginning of the key, by which its user recognises it. */
  @Column('text') hint!: string;
  @Column('text', { array: true }) permissions!: Permission[];
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

/** The longest life of API keys that an owner has set. */
@Entity('api_key_policies')
export class ApiKeyPolicyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for the policy of the partner, which binds its organisations too. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('integer') maxDays!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const STANDS = standsOn('k.provider_id', 'k.link_id');
const FIELDS = `k.id, k.name, k.hint, k.permissions, k.user_id AS created_by, k.expires_at, k.last_used_at,
  k.created_at, k.provider_id, NOT ${STANDS} AS suspended`;
const LOCK_PROVIDER =
  'SELECT FROM sso_providers WHERE id = (SELECT provider_id FROM sessions WHERE id = $1) FOR KEY SHARE';
const ORIGIN = `SELECT m.id, m.partner_id, m.org_id, s.provider_id, l.id AS link_id FROM sessions s
  JOIN live_memberships m ON m.id = s.membership_id
  LEFT JOIN sso_identity_links l ON l.provider_id = s.provider_id AND l.user_id = s.user_id
 WHERE s.id = $1 AND s.revoked_at IS NULL AND (s.provider_id IS NULL OR l.id IS NOT NULL)`;
const LIFE = `SELECT coalesce($1::timestamptz > now(), true) AS is_ahead,
  coalesce($1::timestamptz > now() + make_interval(days => $2::integer), false) AS is_too_long,
  now() + make_interval(days => $2::integer) AS longest`;
const OWN_POLICY =
  'SELECT max_days FROM api_key_policies WHERE partner_id = $1 AND org_id IS NOT DISTINCT FROM $2::uuid';
const MAX_DAYS = `SELECT min(max_days) AS max_days FROM api_key_policies WHERE partner_id = $1
  AND (org_id IS NULL OR org_id = $2::uuid)`;
const SET_POLICY = `INSERT INTO api_key_policies (id, partner_id, org_id, max_days) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT api_key_policy_of_owner DO UPDATE SET max_days = EXCLUDED.max_days, updated_at = now()`;
const CLEAR_POLICY = `DELETE FROM api_key_policies WHERE partner_id = $1 AND org_id IS NOT DISTINCT FROM $2::uuid`;
const IDS_OF_LINK = `SELECT k.id FROM api_keys k JOIN sso_identity_links l ON l.id = k.link_id
  WHERE l.provider_id = $1 AND l.user_id = $2`;
const INSERT = `
  INSERT INTO api_keys AS k (id, user_id, membership_id, partner_id, org_id, name, key_hash, hint, permissions,
    expires_at, provider_id, link_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING ${FIELDS}`;

/** The fields of a key that carry authority. */
export const KEY_FIELDS = ['permissions', 'expiresAt', 'providerId'];

/** The membership of the session that makes a key, and the provider and link that opened the session. */
export type KeyOrigin = Pick<ApiKeyEntity, 'id' | 'partnerId' | 'orgId' | 'providerId' | 'linkId'>;

type KeyPlace = Pick<ApiKeyEntity, 'partnerId' | 'orgId'>;
type KeyPolicy = Pick<ApiKeyPolicyRecord, 'maxDays' | 'effectiveDays'>;

export interface KeyLife {
  readonly isAhead: boolean;
  readonly isTooLong: boolean;
  /** Null without a limit. */
  readonly longest: Date | null;
}

export interface NewApiKey extends Pick<ApiKeyRecord, 'id' | 'name' | 'hint' | 'permissions'> {
  readonly keyHash: string;
  readonly expiresAt: string | null;
}

/** Row security also hides the keys of other partners. */
const within = (scope: TenantScope, owner: KeyOwner | null): Conditions =>
  owner === null
    ? livingWithin(scope, { partner: 'k.partner_id', org: 'k.org_id' })
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
  async lifeOf(tx: Tx, expiresAt: string | null, maxDays: number | null): Promise<KeyLife> {
    const life = await tx.one<KeyLife>(LIFE, [expiresAt, maxDays]);
    if (!life) throw new Error('the life of a key was not computed');
    return life;
  }

  /** What the owner itself has set, and what holds there: an organisation's keys live no longer than its partner's. */
  async policyOf(reader: Reader, { partnerId, orgId }: KeyPlace): Promise<KeyPolicy> {
    const own = await reader.one<{ maxDays: number }>(OWN_POLICY, [partnerId, orgId]);
    const effective = await reader.one<{ maxDays: number | null }>(MAX_DAYS, [partnerId, orgId]);
    return { maxDays: own?.maxDays ?? null, effectiveDays: effective?.maxDays ?? null };
  }

  /** @param maxDays null for none of its own */
  async setPolicy(tx: Tx, { partnerId, orgId }: KeyPlace, maxDays: number | null): Promise<void> {
    if (maxDays === null) await tx.query(CLEAR_POLICY, [partnerId, orgId]);
    else await tx.query(SET_POLICY, [newId(), partnerId, orgId, maxDays]);
  }

  /**
   * Call this before the transaction locks anything else. A change of the provider locks the provider first and then
   * its users, and storing a row with keys to both would lock them in the other order.
   * @returns null when the session has ended, or the link that opened it is gone
   */
  async originOf(tx: Tx, sessionId: string): Promise<KeyOrigin | null> {
    await tx.query(LOCK_PROVIDER, [sessionId]);
    return tx.one<KeyOrigin>(ORIGIN, [sessionId]);
  }

  /**
   * What an identity provider's session of the caller stands on; null for other callers.
   * @throws ProblemError session_revoked
   */
  async rootOf(tx: Tx, { sessionId, providerId }: UserCaller): Promise<KeyOrigin | null> {
    if (providerId === null) return null;
    const root = sessionId === null ? null : await this.originOf(tx, sessionId);
    if (!root) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return root;
  }

  /** The keys that stand on a user's link at a provider. */
  async idsOfLink(tx: Tx, providerId: string, userId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(IDS_OF_LINK, [providerId, userId])).map(({ id }) => id);
  }

  async insert(
    tx: Tx,
    caller: UserCaller,
    { id: membershipId, partnerId, orgId, providerId, linkId }: KeyOrigin,
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
      providerId,
      linkId,
    ]);
    if (!row) throw new Error('an API key was not stored');
    return row;
  }

  /** @returns the deleted key with its tenant */
  delete(tx: Tx, scope: TenantScope, id: string, owner: KeyOwner | null): Promise<(ApiKeyRecord & KeyPlace) | null> {
    const { where, parameters } = within(scope, owner).add('k.id = ?::uuid', id);
    return tx.one(`DELETE FROM api_keys k ${where} RETURNING ${FIELDS}, k.partner_id, k.org_id`, parameters);
  }
}
