import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { requireNotFrozen, requireNotSurviving } from '../scope/organizations-in-reach.repository.ts';
import { OrganizationPlacesRepository } from './order/organization-places.repository.ts';
import { OrganizationsRepository } from './organizations.repository.ts';

@Injectable()
export class DeleteOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationPlacesRepository: OrganizationPlacesRepository,
  ) {}

  /**
   * Soft delete: marks only the organisation, not the rows below it.
   * @throws ProblemError organization_not_found, organization_frozen, version_conflict
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const known = await this.organizationsRepository.lock(tx, caller, id);
      requireNotFrozen(known);
      requireVersion(caller, known.version);
      await requireNotSurviving(tx, id);
      const organization = await this.organizationsRepository.softDelete(tx, caller, id);
      await this.organizationPlacesRepository.release(tx, organization.partnerId);
      tx.audit({
        action: 'organization.delete',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
      });
      publishOrganization(tx, organization);
    });
  }
}
