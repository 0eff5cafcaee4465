import { type Permission, ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import type { RoleAxis, RoleRecord } from '@gatehouse/contracts-identity';
import { onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ofLiving } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

/** A named list of permissions, of the product, of a partner or of an organisation. */
@Entity('roles')
export class RoleEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') name!: string;
  /** The kind of membership that it is for. */
  @Column('text') axis!: RoleAxis;
  @Column('text', { array: true }) permissions!: Permission[];
  /** A role of the product, which cannot be changed. */
  @Column('boolean', { default: () => 'false' }) system!: boolean;
  /** Counts the changes. */
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const FIELDS = 'r.id, r.name, r.axis, r.partner_id, r.org_id, r.permissions, r.system, r.version';
const UPDATE = `UPDATE roles SET name = $2, permissions = $3, version = version + 1, updated_at = now() WHERE id = $1
    AND NOT system`;
const nameTaken = onConstraint({
  role_name_unique: () => new ProblemError('name_taken', 'A role with this name already exists.'),
});
const inUse = onConstraint({
  membership_role: () => new ProblemError('role_in_use', 'People have this role; assign them another one first.'),
  offer_role: () => new ProblemError('role_in_use', 'Open invitations offer this role; withdraw them first.'),
});

/** Roles within reach: those of the product, of the caller's partner and of the caller's organisations. */
function inReach(scope: TenantScope): { clause: string; parameters: (string | readonly string[])[] } {
  if (scope.partner === 'all') return { clause: 'true', parameters: [] };
  const own = scoped(scope, { partner: 'r.partner_id' }).raw(ofLiving('r.org_id'));
  const orgs =
    scope.orgs === 'all' ? 'true' : `(r.org_id IS NULL OR r.org_id = ANY (${own.bind([...scope.orgs])}::uuid[]))`;
  return {
    clause: `(r.system OR (true${own.and} AND ${orgs}))`,
    parameters: own.parameters as (string | readonly string[])[],
  };
}

@Injectable()
export class RolesRepository {
  list(reader: Reader, scope: TenantScope, axis: RoleAxis | undefined): Promise<RoleRecord[]> {
    const { clause, parameters } = inReach(scope);
    const bound = [...parameters, axis ?? null];
    return reader.query<RoleRecord>(
      `SELECT ${FIELDS} FROM roles r WHERE ${clause} AND ($${bound.length}::text IS NULL OR r.axis = $${bound.length})
        ORDER BY r.system DESC, r.axis DESC, r.name, r.id`,
      bound,
    );
  }

  find(reader: Reader, scope: TenantScope, id: string): Promise<RoleRecord | null> {
    const { clause, parameters } = inReach(scope);
    return reader.one<RoleRecord>(
      `SELECT ${FIELDS} FROM roles r WHERE ${clause} AND r.id = $${parameters.length + 1}`,
      [...parameters, id],
    );
  }

  /** Locks the role, so concurrent changes to it, and memberships that are being given it, run one after the other. */
  async lock(tx: Tx, id: string): Promise<void> {
    await tx.query('SELECT id FROM roles WHERE id = $1 FOR UPDATE', [id]);
  }

  async insert(
    tx: Tx,
    { id, name, axis, partnerId, orgId, permissions }: Omit<RoleRecord, 'system' | 'version'>,
  ): Promise<void> {
    await tx.manager.insert(RoleEntity, { id, name, axis, partnerId, orgId, permissions }).catch(nameTaken);
  }

  async update(tx: Tx, { id, name, permissions }: Pick<RoleRecord, 'id' | 'name' | 'permissions'>): Promise<void> {
    await tx.query(UPDATE, [id, name, permissions]).catch(nameTaken);
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(RoleEntity, { id, system: false }).catch(inUse);
  }

  /** The users who hold the role. */
  async userIdsOf(tx: Tx, id: string): Promise<string[]> {
    const rows = await tx.query<{ userId: string }>('SELECT DISTINCT user_id FROM memberships WHERE role_id = $1', [
      id,
    ]);
    return rows.map(({ userId }) => userId);
  }
}
