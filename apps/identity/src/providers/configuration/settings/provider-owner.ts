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
import { requireNotFrozen } from '../../../tenants/tenant-refs/tenant-refs.repository.ts';
import { OwnersRepository } from '../store/provider-trust.repository.ts';

function requirePartnerWide(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('partner_access_denied', 'This requires access to the whole partner.');
}

/**
 * @throws ProblemError partner_access_denied, site_access_denied when the caller does not reach everything that the
 * owner's users sign in to
 */
export function requireMayChange(caller: UserCaller, owner: Owner): void {
  if (owner.orgId === null) requirePartnerWide(caller);
  else requireWholeOrganization(caller);
}

interface WantedOwner {
  readonly ownerScope?: OwnerScope | undefined;
  readonly orgId?: string | null | undefined;
}

function partnerOf(caller: UserCaller): Owner {
  if (caller.level === 'organization')
    throw new ProblemError('scope_denied', 'The partner’s own resources are available only in partner scope.');
  if (!caller.partnerId)
    throw new ProblemError(
      'partner_context_required',
      'The resources of a partner are available only in a session of that partner.',
    );
  return { partnerId: caller.partnerId, orgId: null };
}

/** What {@link ProviderOwner.named} refuses. */
export const NAMED_OWNER_PROBLEMS = [
  'org_required',
  'organization_not_found',
  'partner_context_required',
  'scope_denied',
] as const;

/** What {@link requireMayChange} refuses, and a frozen owner. */
export const MAY_CHANGE_PROBLEMS = [
  'partner_access_denied',
  'site_access_denied',
  'organization_frozen',
  'partner_not_found',
] as const;

/** What {@link ProviderOwner.choose} refuses. */
export const OWNER_PROBLEMS = [...NAMED_OWNER_PROBLEMS, ...MAY_CHANGE_PROBLEMS] as const;

/** Determines the owner of a new provider or domain, and of settings. */
@Injectable()
export class ProviderOwner {
  constructor(private readonly ownersRepository: OwnersRepository) {}

  /** The owner of what the caller is about to change. */
  async choose(reader: Reader, caller: UserCaller, wanted: WantedOwner): Promise<Owner> {
    if (wanted.ownerScope !== 'partner') return this.organization(reader, caller, wanted.orgId);
    const owner = partnerOf(caller);
    requirePartnerWide(caller);
    return owner;
  }

  /**
   * The owner of what the caller reads: who may change nothing of it reads it too, and so does one of a frozen owner.
   */
  async named(reader: Reader, caller: UserCaller, { ownerScope, orgId }: WantedOwner): Promise<Owner> {
    return ownerScope === 'partner' ? partnerOf(caller) : this.organizationNamed(reader, caller, orgId);
  }

  async organization(
    reader: Reader,
    caller: UserCaller,
    wanted: string | null | undefined,
  ): Promise<Owner & { orgId: string }> {
    const owner = await this.organizationNamed(reader, caller, wanted);
    requireWholeOrganization(caller);
    await requireNotFrozen(reader, owner.orgId);
    return owner;
  }

  private async organizationNamed(
    reader: Reader,
    caller: UserCaller,
    wanted: string | null | undefined,
  ): Promise<Owner & { orgId: string }> {
    const orgId = wanted ?? caller.orgId;
    if (!orgId) throw new ProblemError('org_required', 'Choose the organisation: orgId is required.');
    const inScope = caller.scope.orgs === 'all' || caller.scope.orgs.has(orgId);
    const partnerId = inScope ? await this.ownersRepository.partnerOf(reader, orgId) : null;
    if (!partnerId) throw new ProblemError('organization_not_found');
    return { partnerId, orgId };
  }
}
