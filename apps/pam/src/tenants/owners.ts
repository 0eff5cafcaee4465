import { hasPartnerWidePolicyRights, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import type { RulebookOwner } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from './organizations.repository.ts';

/** The owner that a request names. */
export interface NamedOwner {
  readonly ownerScope?: OwnerScope;
  readonly partnerId?: string;
  readonly orgId?: string;
}

/** @throws ProblemError partner_access_denied unless the caller may act for every organisation of the partner */
function requirePartnerWide(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError('partner_access_denied', 'This applies to all organisations of the partner.');
}

/** @throws ProblemError validation_failed when the request names a member that the kind of owner does not have */
function requireNamesOf({ ownerScope = 'organization', partnerId, orgId }: NamedOwner): void {
  if (ownerScope === 'partner' && orgId !== undefined) throw invalid('orgId', 'must be left out for the whole partner');
  if (ownerScope === 'organization' && partnerId !== undefined)
    throw invalid('partnerId', 'must be left out for an organisation');
}

/** What the choice of the owner of a list is refused with. */
export const READABLE_OWNER_PROBLEMS = [
  'org_required',
  'organization_not_found',
  'partner_required',
  'partner_not_found',
  'scope_denied',
] as const;

/** What a change of something that an owner has is refused with. */
export const CHANGE_PROBLEMS = [
  'organization_not_found',
  'organization_frozen',
  'partner_access_denied',
  'site_access_denied',
] as const;

/** What the choice of the owner of something new is refused with. */
export const OWNER_PROBLEMS = [...CHANGE_PROBLEMS, 'org_required', 'partner_required', 'partner_not_found'] as const;

/** Finds the owners of rules and signer groups: one organisation, or the partner for all of its organisations. */
@Injectable()
export class Owners {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** The owner of something new. */
  async requireWritable(tx: Tx, caller: UserCaller, named: NamedOwner): Promise<RulebookOwner> {
    requireNamesOf(named);
    if (named.ownerScope !== 'partner') return this.organizations.resolveWritable(tx, caller, named.orgId);
    const owner = await this.partner(tx, caller, named.partnerId);
    requirePartnerWide(caller);
    return owner;
  }

  /** The owner of a list. */
  async requireReadable(reader: Reader, caller: UserCaller, named: NamedOwner): Promise<RulebookOwner> {
    requireNamesOf(named);
    if (named.ownerScope !== 'partner') return this.organizations.resolve(reader, caller, named.orgId);
    if (caller.level === 'organization')
      throw new ProblemError('scope_denied', 'The partner’s own resources are listed only in partner scope.');
    return this.partner(reader, caller, named.partnerId);
  }

  /** Checks that the caller may change what this owner has. */
  async requireChangeable(tx: Tx, caller: UserCaller, { orgId }: RulebookOwner): Promise<void> {
    if (orgId === null) requirePartnerWide(caller);
    else await this.organizations.resolveWritable(tx, caller, orgId);
  }

  /** @param siteId null for the whole owner @throws ProblemError site_not_in_org */
  requireOwnSite(reader: Reader, owner: RulebookOwner, siteId: string | null): Promise<void> {
    return this.organizations.requireOwnSite(reader, owner, siteId);
  }

  private async partner(reader: Reader, caller: UserCaller, named: string | undefined): Promise<RulebookOwner> {
    const partnerId = named ?? caller.partnerId;
    if (partnerId === null) throw new ProblemError('partner_required', 'Specify the partner with partnerId.');
    if (partnerId !== caller.partnerId) await this.organizations.requirePartner(reader, caller, partnerId);
    return { partnerId, orgId: null };
  }
}

/** Whether this belongs to the partner above the caller's organisation, which may read what it does, and no more. */
export const isAbove = ({ level }: UserCaller, { orgId }: Pick<RulebookOwner, 'orgId'>): boolean =>
  orgId === null && level === 'organization';
