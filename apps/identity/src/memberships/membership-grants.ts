import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipDto, MembershipRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrant, requireGrantable } from '../grants/grantable.ts';
import { RolesRepository } from '../roles/roles.repository.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { type Placement, placementOf, requireReach } from '../grants/placement.ts';

const FROZEN = ['archived', 'merging', 'purging'];
const ORGS = `SELECT org_id, partner_id, status FROM org_ref WHERE org_id = ANY ($1::uuid[]) AND NOT deleted`;
const PARTNER = `SELECT partner_id FROM partner_ref WHERE partner_id = $1 AND NOT deleted`;
const SITES = `SELECT site_id FROM site_ref WHERE site_id = ANY ($1::uuid[]) AND org_id = $2 AND NOT deleted`;

interface OrgRow {
  readonly orgId: string;
  readonly partnerId: string;
  readonly status: string;
}

export const placementIn = ({ scope, partnerId, orgId, orgAccess, orgIds, siteIds }: MembershipRecord): Placement => ({
  level: scope,
  partnerId,
  orgId,
  orgAccess,
  orgIds,
  siteIds,
});

/** Checks whether a caller may give, change or remove a membership. */
@Injectable()
export class MembershipGrants {
  constructor(
    private readonly roles: RolesRepository,
    readonly technicians: TechnicianFeed,
  ) {}

  /**
   * @returns the requested placement, after checking that it exists, that it is within the caller's reach and that the
   * caller may grant its role
   */
  async admit(tx: Tx, caller: UserCaller, input: MembershipDto): Promise<Placement & { roleId: string }> {
    const known = await tx.query<OrgRow>(ORGS, [
      [...(input.orgIds ?? []), input.orgId ?? caller.orgId].filter((id) => id !== null && id !== undefined),
    ]);
    const placement = placementOf(caller, input, (id) => known.find(({ orgId }) => orgId === id)?.partnerId ?? null);
    requireReach(caller, placement);
    await this.requireTenant(tx, placement, known);
    const role = await this.roles.find(tx, caller.scope, input.roleId);
    if (!role) throw new ProblemError('role_not_found', 'There is no such role.');
    requireGrant(caller, role, placement);
    return { ...placement, roleId: role.id };
  }

  /** @throws ProblemError when the membership has a wider reach, or its role more permissions, than the caller */
  async requireMayChange(tx: Tx, caller: UserCaller, memberships: readonly MembershipRecord[]): Promise<void> {
    for (const membership of memberships) {
      requireReach(caller, placementIn(membership));
      const role = await this.roles.find(tx, caller.scope, membership.roleId);
      requireGrantable(caller, role?.permissions ?? ['*']);
    }
  }

  private async requireTenant(
    tx: Tx,
    { level, partnerId, orgId, siteIds }: Placement,
    known: readonly OrgRow[],
  ): Promise<void> {
    if (level === 'system') return;
    if (!(await tx.one(PARTNER, [partnerId]))) throw new ProblemError('partner_not_found', 'There is no such partner.');
    const frozen = known.find((org) => org.orgId === orgId && FROZEN.includes(org.status));
    if (frozen) throw new ProblemError('organization_frozen', `This organisation is ${frozen.status}.`);
    if (siteIds.length === 0) return;
    const sites = await tx.query(SITES, [siteIds, orgId]);
    if (sites.length !== siteIds.length) throw invalid('membership.siteIds', 'must be sites of the organisation');
  }
}
