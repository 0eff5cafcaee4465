import {
  hasPartnerWidePolicyRights,
  invalid,
  partUpdates,
  ProblemError,
  requireSame,
  requireWholeOrganization,
  seesOrg,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  CreateRoleDto,
  DoneResponse,
  RoleResponse,
  RoleRecord,
  UpdateRoleDto,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { withdrawUnbackedOffers } from '../offers/offers.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { requireGrantable } from '../grants/grantable.ts';
import { RolesRepository } from './roles.repository.ts';

const ORG = `SELECT partner_id FROM org_ref WHERE org_id = $1 AND NOT deleted`;
const PARTNER = `SELECT partner_id FROM partner_ref WHERE partner_id = $1 AND NOT deleted`;

interface Owner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

/** POST, PATCH and DELETE /roles. A caller cannot give a role more permissions than they hold themselves. */
@Injectable()
export class SaveRole {
  constructor(
    private readonly work: UnitOfWork,
    private readonly roles: RolesRepository,
    private readonly technicians: TechnicianFeed,
  ) {}

  create(caller: UserCaller, input: CreateRoleDto): Promise<RoleResponse> {
    const permissions = [...new Set(input.permissions)];
    requireGrantable(caller, permissions);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const role = {
        id: newId(),
        name: input.name,
        axis: input.axis,
        permissions,
        ...(await this.ownerOf(tx, caller, input)),
      };
      await this.roles.insert(tx, role);
      this.audit(tx, 'role.create', role, { permissions });
      return { data: { ...role, system: false } };
    });
  }

  update(caller: UserCaller, id: string, input: UpdateRoleDto): Promise<RoleResponse> {
    const { updates: changes, named } = partUpdates(input, ['axis', 'partnerId', 'orgId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const role = await this.changeable(tx, caller, id);
      requireSame(named, role);
      const changed = { ...role, ...changes };
      requireGrantable(caller, changed.permissions);
      await this.roles.update(tx, changed);
      await this.publishHolders(tx, id);
      this.audit(tx, 'role.update', changed, { changedFields: Object.keys(changes) });
      return { data: changed };
    });
  }

  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const role = await this.changeable(tx, caller, id);
      await this.roles.delete(tx, id);
      this.audit(tx, 'role.delete', role);
    });
    return { success: true };
  }

  /** @throws ProblemError role_not_found, permission_denied, site_access_denied, role_not_grantable, organization_frozen */
  private async changeable(tx: Tx, caller: UserCaller, id: string): Promise<RoleRecord> {
    await this.roles.lock(tx, id);
    const role = await this.roles.find(tx, caller.scope, id);
    if (!role) throw new ProblemError('role_not_found', 'There is no such role.');
    if (role.system) throw new ProblemError('permission_denied', 'The roles of the product cannot be changed.');
    if (role.orgId === null) requireWholePartner(caller);
    else requireWholeOrganization(caller);
    requireGrantable(caller, role.permissions);
    await requireNotFrozen(tx, role.orgId);
    return role;
  }

  private async ownerOf(
    tx: Tx,
    caller: UserCaller,
    { axis, partnerId: wanted, orgId: wantedOrg }: CreateRoleDto,
  ): Promise<Owner> {
    if (axis === 'partner' && wantedOrg) throw invalid('orgId', 'goes with the organization axis only');
    const orgId = axis === 'organization' ? (wantedOrg ?? caller.orgId) : null;
    return orgId ? this.organization(tx, caller, orgId) : this.partner(tx, caller, wanted);
  }

  private async organization(tx: Tx, caller: UserCaller, orgId: string): Promise<Owner> {
    const org = await tx.one<{ partnerId: string }>(ORG, [orgId]);
    if (!org || !seesOrg(caller.scope, org.partnerId, orgId))
      throw new ProblemError('organization_not_found', 'There is no such organisation.');
    requireWholeOrganization(caller);
    await requireNotFrozen(tx, orgId);
    return { partnerId: org.partnerId, orgId };
  }

  private async partner(tx: Tx, caller: UserCaller, wanted: string | null | undefined): Promise<Owner> {
    requireWholePartner(caller);
    const partnerId = wanted ?? caller.partnerId;
    if (!partnerId)
      throw new ProblemError('partner_required', 'Say which partner: partnerId is required for system scope.');
    if (caller.level !== 'system' && partnerId !== caller.partnerId)
      throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
    if (!(await tx.one(PARTNER, [partnerId]))) throw new ProblemError('partner_not_found', 'There is no such partner.');
    return { partnerId, orgId: null };
  }

  /** Publishes the new state of every user with this role: its permissions change for them at once. */
  private async publishHolders(tx: Tx, id: string): Promise<void> {
    const userIds = await this.roles.holders(tx, id);
    if (userIds.length === 0) return;
    await this.technicians.publish(tx, userIds);
    await withdrawUnbackedOffers(tx, userIds);
    publishPrincipalsChanged(tx, id, 'userIds', userIds);
  }

  private audit(
    tx: Tx,
    action: 'role.create' | 'role.update' | 'role.delete',
    { id, name, partnerId, orgId }: Omit<RoleRecord, 'system'>,
    details: Record<string, unknown> = {},
  ): void {
    tx.audit({ action, resource: { type: 'role', id, name }, partnerId, orgId, details });
  }
}

function requireWholePartner(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('scope_denied', 'Roles that serve the whole partner need partner-wide rights.');
}
