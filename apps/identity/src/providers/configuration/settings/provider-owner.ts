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
import { requireNotFrozen } from '../../../tenants/tenant-refs/frozen.ts';
import { OwnersRepository } from './owners.repository.ts';

function requirePartnerWide(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('partner_access_denied', 'This needs rights over the whole partner.');
}

/**
 * @throws ProblemError partner_access_denied, site_access_denied when the caller does not reach everything that the
 * owner's users sign in to
 */
export function requireMayChange(caller: UserCaller, owner: Owner): void {
  if (owner.orgId === null) requirePartnerWide(caller);
  else requireWholeOrganization(caller);
}

/** Determines the owner of a new provider or domain. */
@Injectable()
export class ProviderOwner {
  constructor(private readonly ownersRepository: OwnersRepository) {}

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
    requirePartnerWide(caller);
    return { partnerId: caller.partnerId, orgId: null };
  }

  async organization(
    reader: Reader,
    caller: UserCaller,
    wanted: string | undefined,
  ): Promise<Owner & { orgId: string }> {
    const orgId = wanted ?? caller.orgId;
    if (!orgId) throw new ProblemError('org_required', 'Say which organization: orgId is missing.');
    const inScope = caller.scope.orgs === 'all' || caller.scope.orgs.has(orgId);
    const partnerId = inScope ? await this.ownersRepository.partnerOf(reader, orgId) : null;
    if (!partnerId) throw new ProblemError('organization_not_found', 'There is no such organization.');
    requireWholeOrganization(caller);
    await requireNotFrozen(reader, orgId);
    return { partnerId, orgId };
  }
}
