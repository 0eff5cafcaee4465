import {
  offsetOf,
  type Page,
  ProblemError,
  sortOrderOf,
  type TenantScope,
  type UserCaller,
  withMailDomain,
} from '@gatehouse/contracts-core';
import type { ListUsersQuery, SignedInUserRecord, UserRecord, UserSortField } from '@gatehouse/contracts-identity';
import { type Conditions, foldedPattern, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { livingWithin } from '../tenants/tenant-refs/tenant-refs.repository.ts';
import { OFFER_AS_USER, OPEN_OFFER, reachOrOwn } from './offers/offers.repository.ts';

/** A person's account; one for each mail address in the installation. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid') id!: string;
  /** With ASCII letters in lower case. */
  @Column('text') email!: string;
  @Column('text') name!: string;
  @Column('text') status!: 'invited' | 'active' | 'suspended';
  @Column('boolean', { default: () => 'false' }) breakGlass!: boolean;
  /** The version of the last state that was published for the technicians of other services. */
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { nullable: true }) lastLoginAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const MEMBERSHIP = `jsonb_build_object('id', m.id, 'scope', m.level, 'partnerId', m.partner_id, 'orgId', m.org_id, 'roleId', m.role_id, 'roleName', r.name,
  'orgAccess', m.org_access, 'orgIds', to_jsonb(m.org_ids), 'siteIds', to_jsonb(m.site_ids))`;
const SELECT = `
  SELECT u.id, u.email, u.name, CASE WHEN u.status = 'active' AND bool_and(m.suspended) THEN 'suspended' ELSE u.status
    END AS status, u.break_glass, u.last_login_at, u.created_at, u.updated_at, u.version, EXISTS (SELECT
    FROM mfa_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS mfa_enrolled,
         NULL::timestamptz AS invitation_expires_at,
         jsonb_agg(${MEMBERSHIP} ORDER BY m.created_at, m.id) AS memberships`;
const FROM = `FROM users u JOIN memberships m ON m.user_id = u.id JOIN roles r ON r.id = m.role_id`;

const TENANT = { partner: 'm.partner_id', org: 'm.org_id' };

const SORTED_BY: Readonly<Record<UserSortField, string>> = {
  name: 'p.name',
  email: 'p.email',
  status: 'p.status',
  createdAt: 'p.created_at',
  lastLoginAt: 'p.last_login_at',
};

/** Absent times come last in either direction. */
function orderOf({ sort }: ListUsersQuery): string {
  const wanted = sortOrderOf(sort);
  const column = SORTED_BY[(wanted?.field ?? 'name') as UserSortField];
  const direction = wanted?.descending ? 'DESC' : 'ASC';
  return `${column} ${direction} NULLS LAST, p.id ${direction}`;
}

/** The conditions on a whole user: a role and a scope must be those of one and the same membership. */
function filterOf(bound: Conditions, query: ListUsersQuery): string {
  const { status, mfaEnrolled, breakGlass, roleId, scope, expiresBefore } = query;
  const filters = ['true'];
  if (status) filters.push(`p.status = ${bound.bind(status)}`);
  if (mfaEnrolled !== undefined) filters.push(`p.mfa_enrolled = ${bound.bind(mfaEnrolled)}::boolean`);
  if (breakGlass !== undefined) filters.push(`p.break_glass = ${bound.bind(breakGlass)}::boolean`);
  if (expiresBefore) filters.push(`p.invitation_expires_at < ${bound.bind(expiresBefore)}::timestamptz`);
  if (roleId || scope)
    filters.push(
      `p.memberships @> ${bound.bind(JSON.stringify([{ ...(roleId && { roleId: roleId.toLowerCase() }), ...(scope && { scope }) }]))}::jsonb`,
    );
  return filters.join(' AND ');
}

const END_BREAK_GLASS =
  'UPDATE users SET break_glass = false, updated_at = now() WHERE id = $1 AND break_glass RETURNING id';
const emailTaken = onConstraint({
  user_email_unique: () => new ProblemError('email_taken', 'This address is already in use.'),
});

export type StoredUser = UserRecord & { readonly version: number };

/** Removes the columns that only stored users have, not invitations. */
export function recordOf(user: UserRecord & { readonly version?: number }): UserRecord {
  const { version: _, ...record } = user;
  return record;
}

@Injectable()
export class UsersRepository {
  /** Users and open invitations within reach, as one sorted list. */
  async list(reader: Reader, caller: UserCaller, query: ListUsersQuery): Promise<Page<StoredUser>> {
    const reach = livingWithin(caller.scope, TENANT);
    const users = `true${reach.and}`;
    const offers = reachOrOwn(reach, caller);
    const inOrg = query.orgId ? ` AND m.org_id = ${reach.bind(query.orgId)}::uuid` : '';
    const pattern = foldedPattern(query.search);
    const name = pattern && reach.bind(pattern);
    const email = pattern && reach.bind(foldedPattern(withMailDomain(query.search!)));
    const named = (alias: string): string =>
      pattern ? ` AND (folded_name(${alias}.name) LIKE ${name} OR folded_name(${alias}.email) LIKE ${email})` : '';
    const filter = filterOf(reach, query);
    const limits = `LIMIT ${reach.bind(query.limit)} OFFSET ${reach.bind(offsetOf(query))}`;
    const rows = await reader.query<StoredUser & { total: number }>(
      `
      WITH found AS (
        ${SELECT} ${FROM} WHERE ${users}${inOrg}${named('u')} GROUP BY u.id
        UNION ALL ${OFFER_AS_USER} WHERE ${OPEN_OFFER} AND ${offers}${inOrg}${named('m')})
      SELECT p.*, count(*) OVER () AS total FROM found p WHERE ${filter} ORDER BY ${orderOf(query)} ${limits}`,
      reach.parameters,
    );
    const total = rows[0]?.total ?? (query.page > 1 ? await this.count(reader, caller, query) : 0);
    return { total, rows: rows.map(({ total: _, ...user }) => user) };
  }

  /** A user with all memberships within reach, also those in deleted organisations: access there can be ended. */
  find(reader: Reader, scope: TenantScope, id: string): Promise<StoredUser | null> {
    return this.findIn(reader, scoped(scope, TENANT), id);
  }

  /** A user as {@link list} shows them. */
  read(reader: Reader, scope: TenantScope, id: string): Promise<StoredUser | null> {
    return this.findIn(reader, livingWithin(scope, TENANT), id);
  }

  private findIn(reader: Reader, reach: Conditions, id: string): Promise<StoredUser | null> {
    const found = reach.add('u.id = ?::uuid', id);
    return reader.one<StoredUser>(`${SELECT} ${FROM} ${found.where} GROUP BY u.id`, found.parameters);
  }

  /** The user behind a session or API key. */
  signedIn(reader: Reader, id: string): Promise<SignedInUserRecord | null> {
    return reader.one<SignedInUserRecord>('SELECT id, email, name FROM users WHERE id = $1', [id]);
  }

  /** The id of the user with this address, in any tenant. */
  async idOfEmail(tx: Tx, foldedEmail: string): Promise<string | null> {
    const row = await tx.one<{ id: string | null }>('SELECT user_id_of_email($1) AS id', [foldedEmail]);
    return row?.id ?? null;
  }

  /** Locks the user's row, so concurrent changes to one user run one after the other. */
  lock(tx: Tx, id: string): Promise<Pick<UserEntity, 'breakGlass'> | null> {
    return tx.one<UserEntity>('SELECT break_glass FROM users WHERE id = $1 FOR UPDATE', [id]);
  }

  async insert(tx: Tx, { id, email, name }: Pick<UserRecord, 'id' | 'email' | 'name'>): Promise<void> {
    await tx.manager.insert(UserEntity, { id, email, name, status: 'active' }).catch(emailTaken);
  }

  async update(tx: Tx, { id, name, breakGlass }: Pick<UserRecord, 'id' | 'name' | 'breakGlass'>): Promise<void> {
    await tx.query('UPDATE users SET name = $2, break_glass = $3, updated_at = now() WHERE id = $1', [
      id,
      name,
      breakGlass,
    ]);
  }

  /** @returns whether the user was a break-glass user */
  async endBreakGlass(tx: Tx, id: string): Promise<boolean> {
    return (await tx.one(END_BREAK_GLASS, [id])) !== null;
  }

  /** Suspends the whole account, including memberships that the user gets later. */
  async suspend(tx: Tx, id: string, suspended: boolean): Promise<void> {
    await tx.query(
      `UPDATE users SET status = CASE WHEN $2 THEN 'suspended' ELSE 'active' END, updated_at = now() WHERE id = $1
        AND status <> 'invited'`,
      [id, suspended],
    );
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(UserEntity, { id });
  }

  private async count(reader: Reader, caller: UserCaller, query: ListUsersQuery): Promise<number> {
    const { total } = await this.list(reader, caller, { ...query, page: 1, limit: 1 });
    return total;
  }
}
