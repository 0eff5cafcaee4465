import { type AccessLevel, ProblemError } from '@gatehouse/contracts-core';
import type { OrgAccess } from '@gatehouse/contracts-identity';
import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import type { MergedOrganizations } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { Column, Entity, In, PrimaryColumn } from 'typeorm';
import type { GrantedPlacement, NewMembership } from '../grants/placement.ts';

/** A user's place in one tenant, with a role and a reach. */
@Entity('memberships')
export class MembershipEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') level!: AccessLevel;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('uuid') roleId!: string;
  /** The organisations that a membership of a partner gives access to. */
  @Column('text', { default: () => "'all'::text" }) orgAccess!: OrgAccess;
  /** The organisations in reach when `orgAccess` is `selected`. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) orgIds!: string[];
  /** The sites in reach of a membership of an organisation; empty for all. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) siteIds!: string[];
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('boolean', { default: () => 'false' }) suspended!: boolean;
}

const UPDATE = `
  UPDATE memberships SET role_id = $2, org_access = $3, org_ids = $4, site_ids = $5, updated_at = now() WHERE id = $1`;
const SUSPEND = `
  WITH keys AS (DELETE FROM api_keys WHERE membership_id = ANY ($1::uuid[]) AND $2::boolean)
  UPDATE memberships SET suspended = $2::boolean, updated_at = now() WHERE id = ANY ($1::uuid[])`;
const COUNT_OF_USER = 'SELECT membership_count($1) AS count';
const USERS_OF_PARTNER = 'SELECT DISTINCT user_id FROM memberships WHERE partner_id = $1';
const USERS_OF_ORGANIZATION = 'SELECT DISTINCT user_id FROM memberships WHERE org_id = $1';
const USERS_OF = 'SELECT DISTINCT user_id FROM memberships WHERE id = ANY ($1::uuid[])';
const COUNT_USERS_LOSING_ACCESS = `
  SELECT count(*) AS count FROM memberships m JOIN org_ref o ON o.org_id = $1 AND o.partner_id = m.partner_id
   WHERE m.level = 'partner' AND m.org_access = 'selected' AND $1 = ANY (m.org_ids) AND NOT $2 = ANY (m.org_ids)`;
const alreadyMember = onConstraint({
  membership_unique: () => new ProblemError('email_taken', 'This person is already a member.'),
});

@Injectable()
export class MembershipsRepository {
  /** @throws ProblemError email_taken when the user already has a membership in this tenant */
  async insert(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    const { id, roleId, level, partnerId, orgId, orgAccess, suspended = false } = membership;
    const lists = { orgIds: [...membership.orgIds], siteIds: [...membership.siteIds] };
    await tx.manager
      .insert(MembershipEntity, { id, userId, roleId, level, partnerId, orgId, orgAccess, suspended, ...lists })
      .catch(alreadyMember);
  }

  /** Changes the role and the reach within the same tenant. */
  async update(tx: Tx, id: string, { roleId, orgAccess, orgIds, siteIds }: GrantedPlacement): Promise<void> {
    await tx.query(UPDATE, [id, roleId, orgAccess, orgIds, siteIds]);
  }

  async isSuspended(tx: Tx, id: string): Promise<boolean> {
    return tx.manager.existsBy(MembershipEntity, { id, suspended: true });
  }

  /** API keys end with the access: reinstating a user brings none back. */
  async suspend(tx: Tx, ids: readonly string[], suspended: boolean): Promise<void> {
    await tx.query(SUSPEND, [ids, suspended]);
  }

  /** Also deletes the memberships' sessions and API keys, by foreign key. */
  async delete(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.manager.delete(MembershipEntity, { id: In([...ids]) });
  }

  /** Counts all memberships of the user, including those outside the caller's reach. */
  async countOfUser(tx: Tx, userId: string): Promise<number> {
    return (await tx.one<{ count: number }>(COUNT_OF_USER, [userId]))?.count ?? 0;
  }

  userIdsOfPartner(reader: Reader, partnerId: string): Promise<string[]> {
    return this.userIds(reader, USERS_OF_PARTNER, partnerId);
  }

  userIdsOfOrganization(reader: Reader, orgId: string): Promise<string[]> {
    return this.userIds(reader, USERS_OF_ORGANIZATION, orgId);
  }

  userIdsOf(reader: Reader, membershipIds: readonly string[]): Promise<string[]> {
    return this.userIds(reader, USERS_OF, membershipIds);
  }

  /** Counts the partner's users whose access to the merged organisation does not include the survivor. */
  async countUsersLosingAccess(reader: Reader, { sourceId, targetId }: MergedOrganizations): Promise<number> {
    return (await reader.one<{ count: number }>(COUNT_USERS_LOSING_ACCESS, [sourceId, targetId]))?.count ?? 0;
  }

  private async userIds(reader: Reader, sql: string, parameter: string | readonly string[]): Promise<string[]> {
    return (await reader.query<{ userId: string }>(sql, [parameter])).map(({ userId }) => userId);
  }
}

const LOCK_OWNER = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || $1))`;
const COUNT_OTHERS = `
  SELECT count(DISTINCT u.id) AS count FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND u.id <> $1 AND m.partner_id IS NOT DISTINCT FROM $2::uuid AND m.org_id IS NOT DISTINCT
     FROM $3::uuid`;
const LOCK_ORGANIZATION = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.break_glass ' || partner_id || '/' || org_id))
  FROM org_ref WHERE org_id = $1`;
const COUNT_OF_MERGE = `
  SELECT count(DISTINCT m.user_id) AS count, count(DISTINCT m.user_id) FILTER (WHERE m.org_id = $2) AS there
    FROM users u JOIN memberships m ON m.user_id = u.id
   WHERE u.break_glass AND m.org_id = ANY (ARRAY[$1, $2]::uuid[])`;

/** The tenant of a break-glass user. */
export interface BreakGlassOwner {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

@Injectable()
export class BreakGlassRepository {
  /** Counts the owner's break-glass users except this one. The lock makes concurrent counts wait. */
  async countOthers(tx: Tx, { partnerId, orgId }: BreakGlassOwner, userId: string): Promise<number> {
    await tx.query(LOCK_OWNER, [`${partnerId ?? 'system'}/${orgId ?? ''}`]);
    return (await tx.one<{ count: number }>(COUNT_OTHERS, [userId, partnerId, orgId]))?.count ?? 0;
  }

  /** Counts the break-glass users that the survivor would have; 0 when the merge adds none. */
  async countAfterMerge(reader: Reader, { sourceId, targetId }: MergedOrganizations): Promise<number> {
    await reader.one(LOCK_ORGANIZATION, [targetId]);
    const together = await reader.one<{ count: number; there: number }>(COUNT_OF_MERGE, [sourceId, targetId]);
    return together && together.count > together.there ? together.count : 0;
  }
}
