import {
  hasPartnerWidePolicyRights,
  ProblemError,
  requireWholeOrganization,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-identity';
import type { Reader } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { requireNotFrozen } from '../../tenant-refs/frozen.ts';

const ORG_IN_REACH = 'SELECT partner_id FROM org_ref WHERE org_id = $1 AND NOT deleted';

/** Determines the owner of a new provider or domain, and whether the caller may act for that owner. */
@Injectable()
export class ProviderOwner {
  async choose(
    reader: Reader,
    caller: UserCaller,
    wanted: { ownerScope?: OwnerScope | undefined; orgId?: string | null | undefined },
  ): Promise<Owner> {
    if (wanted.ownerScope !== 'partner') return this.organization(reader, caller, wanted.orgId ?? undefined);
    if (caller.level === 'organization')
      throw new ProblemError('scope_denied', 'A provider of the partner is set up in partner scope.');
    if (!caller.partnerId)
      throw new ProblemError(
        'partner_context_required',
        'A provider of a partner is set up in a session of that partner.',
      );
    this.requirePartnerWide(caller);
    return { partnerId: caller.partnerId, orgId: null };
  }

  /** @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied */
  async organization(
    reader: Reader,
    caller: UserCaller,
    wanted: string | undefined,
  ): Promise<Owner & { orgId: string }> {
    const orgId = wanted ?? caller.orgId;
    if (!orgId) throw new ProblemError('org_required', 'Say which organization: orgId is missing.');
    const inScope = caller.scope.orgs === 'all' || caller.scope.orgs.has(orgId);
    const org = inScope ? await reader.one<{ partnerId: string }>(ORG_IN_REACH, [orgId]) : null;
    if (!org) throw new ProblemError('organization_not_found', 'There is no such organization.');
    requireWholeOrganization(caller);
    await requireNotFrozen(reader, orgId);
    return { partnerId: org.partnerId, orgId };
  }

  /**
   * @throws ProblemError partner_access_denied, site_access_denied when the caller does not reach everything that the
   * owner's users sign in to
   */
  requireMayChange(caller: UserCaller, owner: Owner): void {
    if (owner.orgId === null) this.requirePartnerWide(caller);
    else requireWholeOrganization(caller);
  }

  private requirePartnerWide(caller: UserCaller): void {
    if (!hasPartnerWidePolicyRights(caller))
      throw new ProblemError('partner_access_denied', 'This needs rights over the whole partner.');
  }
}
