import { type ErrorCode, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { FreezeLevel } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { requireSite } from '../tenants/require-site.ts';
import { type Place, PolicyTargetsRepository } from '../tenants/policy-targets.repository.ts';

const MISSING = {
  device: 'device_not_found',
  site: 'site_not_found',
  organization: 'organization_not_found',
  partner: 'partner_not_found',
} as const satisfies Record<FreezeLevel, ErrorCode>;

/** Checks what a caller may freeze, and whose freezes a caller may lift. */
@Injectable()
export class FreezeTargets {
  constructor(
    private readonly policyTargets: PolicyTargetsRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /** @returns the target's place */
  async require(tx: Tx, caller: UserCaller, level: FreezeLevel, id: string): Promise<Place> {
    const place = await this.policyTargets.find(tx, caller.scope, { level, id });
    if (!place) throw new ProblemError(MISSING[level], `There is no such ${level}.`);
    await this.requireReach(tx, caller, place);
    return place;
  }

  async requireReach(tx: Tx, caller: UserCaller, { orgId, siteId }: Omit<Place, 'partnerId'>): Promise<void> {
    if (orgId === null) {
      const isWide = caller.level !== 'organization' && caller.scope.orgs === 'all' && caller.scope.sites === 'all';
      if (!isWide) throw new ProblemError('scope_denied', 'This reaches every organisation of the partner.');
      return;
    }
    requireSite(caller, siteId);
    await this.organizations.resolveWritable(tx, caller, orgId);
  }
}
