import {
  hasPartnerWidePolicyRights,
  invalid,
  ProblemError,
  requireWholeOrganization,
  seesOrg,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { CreateRoleDto } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { TenantRefsRepository } from '../tenant-refs/tenant-refs.repository.ts';

/** The tenant that a role belongs to. */
export interface RoleOwner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

/** Finds the tenant that a new role belongs to, and checks that the caller may make roles there. */
@Injectable()
export class FindRoleOwner {
  constructor(private readonly tenantRefsRepository: TenantRefsRepository) {}

  /**
   * @throws ProblemError validation_failed, organization_not_found, site_access_denied, organization_frozen,
   * scope_denied, partner_required, partner_access_denied, partner_not_found
   */
  async execute(tx: Tx, caller: UserCaller, { axis, partnerId, orgId: wantedOrg }: CreateRoleDto): Promise<RoleOwner> {
    if (axis === 'partner' && wantedOrg) throw invalid('orgId', 'goes with the organization axis only');
    const orgId = axis === 'organization' ? (wantedOrg ?? caller.orgId) : null;
    return orgId ? this.organization(tx, caller, orgId) : this.partner(tx, caller, partnerId);
  }

  private async organization(tx: Tx, caller: UserCaller, orgId: string): Promise<RoleOwner> {
    const [organization] = await this.tenantRefsRepository.organizations(tx, [orgId]);
    if (!organization || !seesOrg(caller.scope, organization.partnerId, orgId))
      throw new ProblemError('organization_not_found', 'There is no such organisation.');
    requireWholeOrganization(caller);
    await requireNotFrozen(tx, orgId);
    return { partnerId: organization.partnerId, orgId };
  }

  private async partner(tx: Tx, caller: UserCaller, wanted: string | null | undefined): Promise<RoleOwner> {
    requireWholePartner(caller);
    const partnerId = wanted ?? caller.partnerId;
    if (!partnerId)
      throw new ProblemError('partner_required', 'Name the partner: partnerId is required for system scope.');
    if (caller.level !== 'system' && partnerId !== caller.partnerId)
      throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
    if (!(await this.tenantRefsRepository.hasPartner(tx, partnerId)))
      throw new ProblemError('partner_not_found', 'There is no such partner.');
    return { partnerId, orgId: null };
  }
}

/** @throws ProblemError scope_denied */
export function requireWholePartner(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('scope_denied', 'Roles that serve the whole partner need partner-wide rights.');
}
