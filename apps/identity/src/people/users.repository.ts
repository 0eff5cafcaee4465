import { offsetOf, type Page, ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import type { ListUsersQuery, MembershipRecord, UserRecord } from '@gatehouse/contracts-identity';
import { type Conditions, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OFFER_AS_PERSON, OPEN_OFFER } from '../offers/open-offers.ts';
import type { Placement } from '../grants/placement.ts';

const MEMBERSHIP = `jsonb_build_object('id', m.id, 'scope', m.level, 'partnerId', m.partner_id, 'orgId', m.org_id, 'roleId', m.role_id, 'roleName', r.name,
  'orgAccess', m.org_access, 'orgIds', to_jsonb(m.org_ids), 'siteIds', to_jsonb(m.site_ids))`;
const SELECT = `
  SELECT u.id, u.email, u.name, CASE WHEN u.status = 'active' AND bool_and(m.suspended) THEN 'suspended' ELSE u.status END AS status, u.break_glass,
         u.last_login_at, u.created_at, u.updated_at, u.version, EXISTS (SELECT FROM mfa_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS mfa_enrolled,
         jsonb_agg(${MEMBERSHIP} ORDER BY m.created_at, m.id) AS memberships`;
const FROM = `FROM users u JOIN memberships m ON m.user_id = u.id JOIN roles r ON r.id = m.role_id`;

const withinReach = (scope: TenantScope): Conditions => scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' });
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const alreadyThere = onConstraint({
  membership_unique: () => new ProblemError('email_taken', 'This person is a member already.'),
  user_email_unique: () => new ProblemError('email_taken', 'This address is in use already.'),
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
  async list(reader: Reader, scope: TenantScope, query: ListUsersQuery): Promise<Page<StoredUser>> {
    const reach = withinReach(scope).add('m.org_id = ?::uuid', query.orgId);
    const search = query.search ? reach.bind(likePattern(query.search)) : null;
    const named = (alias: string): string =>
      search ? ` AND (${alias}.name ILIKE ${search} OR ${alias}.email ILIKE ${search})` : '';
    const status = query.status ? `WHERE p.status = ${reach.bind(query.status)}` : '';
    const limits = `LIMIT ${reach.bind(query.limit)} OFFSET ${reach.bind(offsetOf(query))}`;
    const rows = await reader.query<StoredUser & { total: number }>(
      `
      WITH people AS (
        ${SELECT} ${FROM} WHERE true${reach.and}${named('u')} GROUP BY u.id
        UNION ALL ${OFFER_AS_PERSON} WHERE ${OPEN_OFFER}${reach.and}${named('m')})
      SELECT p.*, count(*) OVER () AS total FROM people p ${status} ORDER BY p.name, p.id ${limits}`,
      reach.parameters,
    );
    const total = rows[0]?.total ?? (query.page > 1 ? await this.count(reader, scope, query) : 0);
    return { total, rows: rows.map(({ total: _, ...user }) => user) };
  }

  async find(reader: Reader, scope: TenantScope, id: string): Promise<StoredUser | null> {
    const reach = withinReach(scope).add('u.id = ?::uuid', id);
    return reader.one<StoredUser>(`${SELECT} ${FROM} ${reach.where} GROUP BY u.id`, reach.parameters);
  }

  /** The id of the user with this address, in any tenant. */
  async idOfEmail(tx: Tx, foldedEmail: string): Promise<string | null> {
    const row = await tx.one<{ id: string | null }>('SELECT user_id_of_email($1) AS id', [foldedEmail]);
    return row?.id ?? null;
  }

  /** Counts all memberships of the user, including those outside the caller's reach. */
  async membershipCount(tx: Tx, id: string): Promise<number> {
    const row = await tx.one<{ count: number }>('SELECT membership_count($1) AS count', [id]);
    return row?.count ?? 0;
  }

  /** Locks the user's row, so concurrent changes to one user run one after the other. */
  async lock(tx: Tx, id: string): Promise<void> {
    await tx.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [id]);
  }

  /** @throws ProblemError email_taken */
  async insert(tx: Tx, { id, email, name }: Pick<UserRecord, 'id' | 'email' | 'name'>): Promise<void> {
    await tx
      .query(`INSERT INTO users (id, email, name, status) VALUES ($1, $2, $3, 'active')`, [id, email, name])
      .catch(alreadyThere);
  }

  /** @throws ProblemError email_taken when the user already has a membership in this tenant */
  async addMembership(
    tx: Tx,
    {
      id,
      userId,
      roleId,
      level,
      partnerId,
      orgId,
      orgAccess,
      orgIds,
      siteIds,
    }: Placement & { id: string; userId: string; roleId: string },
  ): Promise<void> {
    await tx
      .query(
        'INSERT INTO memberships (id, user_id, role_id, level, partner_id, org_id, org_access, org_ids, site_ids) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        [id, userId, roleId, level, partnerId, orgId, orgAccess, orgIds, siteIds],
      )
      .catch(alreadyThere);
  }

  async updateMembership(
    tx: Tx,
    id: string,
    {
      roleId,
      orgAccess,
      orgIds,
      siteIds,
    }: Pick<MembershipRecord, 'roleId'> & Pick<Placement, 'orgAccess' | 'orgIds' | 'siteIds'>,
  ): Promise<void> {
    await tx.query(
      'UPDATE memberships SET role_id = $2, org_access = $3, org_ids = $4, site_ids = $5, updated_at = now() WHERE id = $1',
      [id, roleId, orgAccess, orgIds, siteIds],
    );
  }

  /** Also deletes the memberships' sessions and API keys, by foreign key. */
  async removeMemberships(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM memberships WHERE id = ANY ($1::uuid[])', [ids]);
  }

  async update(tx: Tx, { id, name, breakGlass }: Pick<UserRecord, 'id' | 'name' | 'breakGlass'>): Promise<void> {
    await tx.query('UPDATE users SET name = $2, break_glass = $3, updated_at = now() WHERE id = $1', [
      id,
      name,
      breakGlass,
    ]);
  }

  async suspendMemberships(tx: Tx, ids: readonly string[], suspended: boolean): Promise<void> {
    await tx.query('UPDATE memberships SET suspended = $2, updated_at = now() WHERE id = ANY ($1::uuid[])', [
      ids,
      suspended,
    ]);
  }

  /** Suspends the whole account, including memberships that the user gets later. */
  async suspendAccount(tx: Tx, id: string, suspended: boolean): Promise<void> {
    await tx.query(
      `UPDATE users SET status = CASE WHEN $2 THEN 'suspended' ELSE 'active' END, updated_at = now() WHERE id = $1 AND status <> 'invited'`,
      [id, suspended],
    );
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.query('DELETE FROM users WHERE id = $1', [id]);
  }

  private async count(reader: Reader, scope: TenantScope, query: ListUsersQuery): Promise<number> {
    const { total } = await this.list(reader, scope, { ...query, page: 1, limit: 1 });
    return total;
  }
}
