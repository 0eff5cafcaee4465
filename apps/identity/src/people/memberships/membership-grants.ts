import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipDto, MembershipRecord } from '@gatehouse/contracts-identity';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrant, requireGrantable } from '../grants/grantable.ts';
import {
  type GrantedPlacement,
  type Placement,
  placementIn,
  placementOf,
  REACH_PROBLEMS,
  requireReach,
} from '../grants/placement.ts';
import { RolesRepository } from '../roles/roles.repository.ts';
import { type KnownOrganization, TenantRefsRepository } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

const isGiven = (id: string | null | undefined): id is string => id !== null && id !== undefined;

/** What {@link MembershipGrants.admit} refuses. */
export const MEMBERSHIP_PROBLEMS = [
  'role_not_found',
  'role_not_grantable',
  'partner_required',
  'partner_not_found',
  'org_required',
  'organization_not_found',
  'organization_frozen',
  ...REACH_PROBLEMS,
] as const;

/** Checks whether a caller may give, change or remove a membership. */
@Injectable()
export class MembershipGrants {
  constructor(
    private readonly rolesRepository: RolesRepository,
    private readonly tenantRefsRepository: TenantRefsRepository,
  ) {}

  /**
   * @returns the requested placement, after checking that it exists, that it is within the caller's reach and that the
   * caller may grant its role
   */
  async admit(tx: Tx, caller: UserCaller, input: MembershipDto): Promise<GrantedPlacement> {
    const named = [...(input.orgIds ?? []), input.orgId ?? caller.orgId].filter(isGiven);
    const known = await this.tenantRefsRepository.organizations(tx, named);
    const placement = placementOf(caller, input, (id) => known.find(({ orgId }) => orgId === id)?.partnerId ?? null);
    requireReach(caller, placement);
    await this.requireTenant(tx, placement, known);
    const role = await this.rolesRepository.find(tx, caller.scope, input.roleId);
    if (!role) throw new ProblemError('role_not_found', 'There is no such role.');
    requireGrant(caller, role, placement);
    return { ...placement, roleId: role.id };
  }

  /** @throws ProblemError when the membership has a wider reach, or its role more permissions, than the caller */
  async requireMayChange(tx: Tx, caller: UserCaller, memberships: readonly MembershipRecord[]): Promise<void> {
    for (const membership of memberships) {
      requireReach(caller, placementIn(membership));
      const role = await this.rolesRepository.find(tx, caller.scope, membership.roleId);
      requireGrantable(caller, role?.permissions ?? ['*']);
    }
  }

  private async requireTenant(
    tx: Tx,
    { level, partnerId, orgId, siteIds }: Placement,
    known: readonly KnownOrganization[],
  ): Promise<void> {
    if (level === 'system') return;
    if (!(await this.tenantRefsRepository.hasPartner(tx, partnerId))) throw new ProblemError('partner_not_found');
    const frozen = known.find((org) => org.orgId === orgId && FROZEN_STATUSES.includes(org.status));
    if (frozen) throw new ProblemError('organization_frozen', `This organisation is ${frozen.status}.`);
    if (siteIds.length === 0) return;
    if ((await this.tenantRefsRepository.countSites(tx, orgId, siteIds)) !== siteIds.length)
      throw invalid('membership.siteIds', 'must be sites of the organisation');
  }
}
