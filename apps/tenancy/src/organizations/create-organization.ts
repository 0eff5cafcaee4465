import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateOrganizationDto, OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { SETTABLE_AT_CREATE } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { OrganizationPlacesRepository } from './order/organization-places.repository.ts';
import { organizationView } from './organization.view.ts';
import { OrganizationsRepository } from './organizations.repository.ts';
import { requireSettable } from './settable-status.ts';

@Injectable()
export class CreateOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationPlacesRepository: OrganizationPlacesRepository,
  ) {}

  /**
   * @throws ProblemError partner_required, partner_context_required, partner_access_denied, organization_limit_reached,
   * slug_taken
   */
  execute(caller: UserCaller, { partnerId: wanted, ...draft }: CreateOrganizationDto): Promise<OrganizationResponse> {
    const partnerId = partnerOf(caller, wanted);
    requireSettable(draft.status, SETTABLE_AT_CREATE);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const position = await this.organizationPlacesRepository.take(tx, partnerId);
      const organization = await this.organizationsRepository.insert(tx, { ...draft, partnerId, position });
      const { id, name, status, type } = organization;
      tx.audit({
        action: 'organization.create',
        partnerId,
        orgId: id,
        resource: { type: 'organization', id, name },
        details: { partnerId, status, type },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}

function partnerOf(caller: UserCaller, wanted: string | undefined): string {
  if (caller.level === 'system') {
    if (!wanted) throw new ProblemError('partner_required', 'partnerId is required for system scope.');
    return wanted;
  }
  if (!caller.partnerId)
    throw new ProblemError('partner_context_required', 'Partner context required to create organizations.');
  if (wanted && wanted !== caller.partnerId)
    throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
  // The new organisation would be outside the creator's own reach.
  if (caller.scope.orgs !== 'all')
    throw new ProblemError(
      'org_access_denied',
      'Your access is limited to chosen organizations; creating one needs access to all.',
    );
  return caller.partnerId;
}
