import { hasPartnerWidePolicyRights, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { SoftwarePolicyEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from './organizations.repository.ts';
import { requireSite } from './require-place.ts';
import { type Place, PolicyTargetsRepository, type Target } from './policy-targets.repository.ts';

type TargetedPolicy = Pick<SoftwarePolicyEntity, 'partnerId' | 'orgId' | 'targetLevel' | 'targetId'>;

/** Checks the targets of policies: a caller may choose only targets that lie wholly within reach. */
@Injectable()
export class PolicyTargets {
  constructor(
    private readonly policyTargets: PolicyTargetsRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  async require(tx: Tx, caller: UserCaller, target: Target): Promise<Place> {
    const place = await this.policyTargets.hold(tx, caller.scope, target);
    if (!place) throw new ProblemError('target_not_found', `There is no such ${target.level}.`);
    await this.requireReach(tx, caller, place);
    return place;
  }

  /**
   * Checks that the caller may change the policy. If its target was deleted, the policy counts as one of its whole
   * organisation or partner.
   * @returns the target's place
   */
  async requireWritable(
    tx: Tx,
    caller: UserCaller,
    { partnerId, orgId, targetLevel: level, targetId: id }: TargetedPolicy,
  ): Promise<Place> {
    const place = (await this.policyTargets.hold(tx, caller.scope, { level, id })) ?? {
      partnerId,
      orgId,
      siteId: null,
    };
    await this.requireReach(tx, caller, place);
    return place;
  }

  private async requireReach(tx: Tx, caller: UserCaller, { orgId, siteId }: Place): Promise<void> {
    if (orgId === null) {
      if (!hasPartnerWidePolicyRights(caller))
        throw new ProblemError('partner_access_denied', 'This policy applies to the whole partner.');
      return;
    }
    requireSite(caller, siteId);
    await this.organizations.resolveWritable(tx, caller, orgId);
  }
}
