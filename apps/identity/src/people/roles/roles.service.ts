import {
  changesOf,
  isUnchanged,
  hasPartnerWidePolicyRights,
  invalid,
  partUpdates,
  ProblemError,
  requireSame,
  requireVersion,
  requireWholeOrganization,
  seesOrg,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  CreateRoleDto,
  DoneResponse,
  ListRolesQuery,
  RoleListResponse,
  RoleRecord,
  RoleResponse,
  UpdateRoleDto,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrantable } from '../grants/grantable.ts';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';
import { publishPrincipalsChanged } from '../../sessions/revoke-sessions.ts';
import { TechnicianFeed } from '../../sessions/technicians/technicians.service.ts';
import {
  requireNotFrozen,
  requireOpenOwner,
  TenantRefsRepository,
} from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { RolesRepository } from './roles.repository.ts';

type Role = Omit<RoleRecord, 'system'>;
const FIELDS = ['name', 'axis', 'permissions'];

function auditRole(
  tx: Tx,
  action: 'role.create' | 'role.update' | 'role.delete',
  { before, after }: { readonly before: Role; readonly after: null } | { before: Role | null; after: Role },
): void {
  const { id, name, partnerId, orgId, version } = after ?? before;
  const changes = changesOf(before, after, FIELDS);
  const details = { changes, changedFields: Object.keys(changes), version };
  tx.audit({ action, resource: { type: 'role', id, name }, partnerId, orgId, details });
}

/** The tenant that a role belongs to. */
interface RoleOwner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

function requireWholePartner(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('scope_denied', 'Roles for the whole partner require partner-wide access.');
}

/** What {@link RolesService.findChangeableRole} refuses. */
export const CHANGEABLE_ROLE_PROBLEMS = [
  'role_not_found',
  'permission_denied',
  'scope_denied',
  'site_access_denied',
  'role_not_grantable',
  'organization_frozen',
  'partner_not_found',
  'version_conflict',
] as const;

@Injectable()
export class RolesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rolesRepository: RolesRepository,
    private readonly technicianFeed: TechnicianFeed,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly tenantRefsRepository: TenantRefsRepository,
  ) {}

  /** GET /roles: the roles of the product, of the caller's partner and of the caller's organisations. */
  async list(caller: UserCaller, { axis }: ListRolesQuery): Promise<RoleListResponse> {
    return { data: await this.work.read(caller, (reader) => this.rolesRepository.list(reader, caller.scope, axis)) };
  }

  /** POST /roles. A caller cannot give a role more permissions than they hold themselves. */
  create(caller: UserCaller, input: CreateRoleDto): Promise<RoleResponse> {
    const permissions = [...new Set(input.permissions)];
    requireGrantable(caller, permissions);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.findRoleOwner(tx, caller, input);
      const role = { id: newId(), name: input.name, axis: input.axis, permissions, version: 1, ...owner };
      await this.rolesRepository.insert(tx, role);
      auditRole(tx, 'role.create', { before: null, after: role });
      return { data: { ...role, system: false } };
    });
  }

  /** PATCH /roles/:id. A caller cannot give a role more permissions than they hold themselves. */
  update(caller: UserCaller, id: string, input: UpdateRoleDto): Promise<RoleResponse> {
    const { updates: changes, named } = partUpdates(input, ['axis', 'partnerId', 'orgId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const role = await this.findChangeableRole(tx, caller, id);
      requireSame(named, role);
      const changed = { ...role, ...changes, version: role.version + 1 };
      requireGrantable(caller, changed.permissions);
      if (isUnchanged(role, changes)) return { data: role };
      await this.rolesRepository.update(tx, changed);
      await this.publishHolders(tx, id);
      auditRole(tx, 'role.update', { before: role, after: changed });
      return { data: changed };
    });
  }

  /** Publishes the new state of every user with this role: its permissions change for them at once. */
  private async publishHolders(tx: Tx, id: string): Promise<void> {
    const userIds = await this.rolesRepository.userIdsOf(tx, id);
    if (userIds.length === 0) return;
    await this.technicianFeed.publish(tx, userIds);
    await this.withdrawDeadOffers.ofAuthors(tx, userIds);
    publishPrincipalsChanged(tx, id, 'userIds', userIds);
  }

  /** DELETE /roles/:id, for a role that no user holds and no open invitation offers. */
  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const role = await this.findChangeableRole(tx, caller, id);
      await this.withdrawDeadOffers.ofRole(tx, id);
      await this.rolesRepository.delete(tx, id);
      auditRole(tx, 'role.delete', { before: role, after: null });
    });
    return { success: true };
  }

  /** Locks a role that the caller wants to change or delete, and checks that they may. */
  async findChangeableRole(tx: Tx, caller: UserCaller, id: string): Promise<RoleRecord> {
    await this.rolesRepository.lock(tx, id);
    const role = await this.rolesRepository.find(tx, caller.scope, id);
    if (!role) throw new ProblemError('role_not_found', 'There is no such role.');
    if (role.system) throw new ProblemError('permission_denied', 'Built-in roles cannot be changed.');
    if (role.orgId === null) requireWholePartner(caller);
    else requireWholeOrganization(caller);
    requireGrantable(caller, role.permissions);
    await requireOpenOwner(tx, role);
    requireVersion(caller, role.version);
    return role;
  }

  /** Finds the tenant that a new role belongs to, and checks that the caller may make roles there. */
  async findRoleOwner(
    tx: Tx,
    caller: UserCaller,
    { axis, partnerId, orgId: wantedOrg }: CreateRoleDto,
  ): Promise<RoleOwner> {
    if (axis === 'partner' && wantedOrg) throw invalid('orgId', 'goes with the organization axis only');
    const orgId = axis === 'organization' ? (wantedOrg ?? caller.orgId) : null;
    return orgId ? this.organization(tx, caller, { orgId, partnerId }) : this.partner(tx, caller, partnerId);
  }

  private async organization(
    tx: Tx,
    caller: UserCaller,
    { orgId, partnerId }: { orgId: string; partnerId: string | null | undefined },
  ): Promise<RoleOwner> {
    const [organization] = await this.tenantRefsRepository.organizations(tx, [orgId]);
    const isNamed = !partnerId || partnerId === organization?.partnerId;
    if (!organization || !isNamed || !seesOrg(caller.scope, organization.partnerId, orgId))
      throw new ProblemError('organization_not_found');
    requireWholeOrganization(caller);
    await requireNotFrozen(tx, orgId);
    return { partnerId: organization.partnerId, orgId };
  }

  private async partner(tx: Tx, caller: UserCaller, wanted: string | null | undefined): Promise<RoleOwner> {
    requireWholePartner(caller);
    const partnerId = wanted ?? caller.partnerId;
    if (!partnerId) throw new ProblemError('partner_required');
    if (caller.level !== 'system' && partnerId !== caller.partnerId) throw new ProblemError('partner_access_denied');
    if (!(await this.tenantRefsRepository.hasPartner(tx, partnerId))) throw new ProblemError('partner_not_found');
    return { partnerId, orgId: null };
  }
}
