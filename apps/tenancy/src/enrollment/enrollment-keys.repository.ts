import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyQuery, EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { returned } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { listedBelow, readableBelow } from '../scope/organizations-in-reach.repository.ts';

/** A secret with which agents enrol into one organisation. */
@Entity('enrollment_keys')
export class EnrollmentKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** The site of the enrolled devices; null for the organisation's default site. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('varchar') name!: string;
  /** SHA-256 of the secret, in hexadecimal. */
  @Column('varchar') key!: string;
  @Column('integer', { default: () => '0' }) usageCount!: number;
  @Column('integer', { nullable: true }) maxUsage!: number | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** Whether a machine without its token may return as its device, if an administrator confirms it. */
  @Column('boolean', { default: () => 'false' }) allowReenrollment!: boolean;
  /** The user who created the key. */
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

const COLUMNS =
  'id, org_id, site_id, name, usage_count, max_usage, expires_at, allow_reenrollment, created_by, created_at';
/** What the answer needs, and the partner for the audit record. */
const ROW = `${COLUMNS}, partner_id`;
const INSERT = `
  INSERT INTO enrollment_keys (id, partner_id, org_id, site_id, name, key, max_usage, expires_at, created_by,
    allow_reenrollment)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, now() + $9 * interval '1 minute'), $10, $11)
    RETURNING ${ROW}`;
const IS_USABLE =
  'key = $1 AND (expires_at IS NULL OR expires_at > now()) AND (max_usage IS NULL OR usage_count < max_usage)';
const USABLE = `SELECT id, partner_id, org_id, site_id, allow_reenrollment FROM enrollment_keys WHERE ${IS_USABLE}`;
const COUNT_USE = `UPDATE enrollment_keys SET usage_count = usage_count + 1 WHERE ${IS_USABLE} RETURNING id`;
const STATE =
  'SELECT expires_at <= now() AS expired, usage_count >= max_usage AS exhausted FROM enrollment_keys WHERE key = $1';

export type EnrollmentKeyRow = Omit<EnrollmentKeyEntity, 'key'>;
export type UsedKey = Pick<EnrollmentKeyEntity, 'id' | 'partnerId' | 'orgId' | 'siteId' | 'allowReenrollment'>;

export interface NewEnrollmentKey {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId?: string | null;
  readonly name: string;
  /** The hash of the secret, which is shown once and not stored. */
  readonly keyHash: string;
  readonly maxUsage?: number | null;
  readonly expiresAt?: string;
  /** Used if `expiresAt` is not given. */
  readonly ttlMinutes: number;
  readonly createdBy: string | null;
  readonly allowReenrollment: boolean;
}

const enrollmentKeyNotFound = (): ProblemError =>
  new ProblemError('enrollment_key_not_found', 'There is no such enrolment key.');
const siteNotInOrg = {
  enrollment_key_site_in_organization: () =>
    new ProblemError('site_not_in_org', 'The site does not belong to this organisation.'),
};

/** Keys of the organisations in reach; a site-confined caller sees only the keys of its sites. */
const keysInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'site_id' });

@Injectable()
export class EnrollmentKeysRepository {
  list(reader: Reader, caller: UserCaller, query: EnrollmentKeyQuery): Promise<Page<EnrollmentKeyResponse>> {
    const conditions = keysInReach(caller)
      .add('org_id = ?', query.orgId)
      .add('site_id = ?', query.siteId)
      .raw(listedBelow(caller, 'org_id'));
    return listPage<EnrollmentKeyResponse>(reader, query, {
      columns: COLUMNS,
      from: 'enrollment_keys',
      conditions,
      order: ['id'],
    });
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<EnrollmentKeyRow> {
    const { where, parameters } = keysInReach(caller).add('id = ?', id).raw(readableBelow(caller, 'org_id'));
    return found(await reader.one<EnrollmentKeyRow>(`SELECT ${ROW} FROM enrollment_keys ${where}`, parameters));
  }

  async insert(tx: Tx, key: NewEnrollmentKey): Promise<EnrollmentKeyRow> {
    const { partnerId, orgId, siteId, name, keyHash, maxUsage, expiresAt, ttlMinutes, createdBy, allowReenrollment } =
      key;
    const limits = [maxUsage, expiresAt, ttlMinutes];
    const values = [newId(), partnerId, orgId, siteId, name, keyHash, ...limits, createdBy, allowReenrollment];
    return returned(await tx.one<EnrollmentKeyRow>(INSERT, values).catch(onConstraint(siteNotInOrg)));
  }

  async replaceSecret(tx: Tx, caller: UserCaller, id: string, keyHash: string): Promise<EnrollmentKeyRow> {
    const conditions = keysInReach(caller).add('id = ?', id);
    const set = `key = ${conditions.bind(keyHash)}`;
    const sql = `UPDATE enrollment_keys SET ${set} ${conditions.where} RETURNING ${ROW}`;
    return found(await tx.one<EnrollmentKeyRow>(sql, conditions.parameters));
  }

  async delete(tx: Tx, caller: UserCaller, id: string): Promise<EnrollmentKeyRow> {
    const { where, parameters } = keysInReach(caller).add('id = ?', id);
    return found(await tx.one<EnrollmentKeyRow>(`DELETE FROM enrollment_keys ${where} RETURNING ${ROW}`, parameters));
  }

  /** Null if there is no such key, or if it is expired or exhausted. */
  findUsable(reader: Reader, keyHash: string): Promise<UsedKey | null> {
    return reader.one<UsedKey>(USABLE, [keyHash]);
  }

  /** Counts one use of a key, and locks it. @returns whether it can still be used */
  async countUse(tx: Tx, keyHash: string): Promise<boolean> {
    return (await tx.one(COUNT_USE, [keyHash])) !== null;
  }

  /** Why a key cannot be used; null if there is no such key. */
  stateOf(tx: Tx, keyHash: string): Promise<{ readonly expired: boolean; readonly exhausted: boolean } | null> {
    return tx.one(STATE, [keyHash]);
  }
}

function found(key: EnrollmentKeyRow | null): EnrollmentKeyRow {
  if (!key) throw enrollmentKeyNotFound();
  return key;
}
