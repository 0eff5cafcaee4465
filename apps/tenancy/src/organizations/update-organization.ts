import { changesOf, partUpdates, requireSame, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse, UpdateOrganizationDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { SETTABLE_AT_UPDATE } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../rows/publish-state.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { organizationView } from './organization.view.ts';
import { OrganizationsRepository } from './organizations.repository.ts';
import { requireSettable } from './settable-status.ts';

@Injectable()
export class UpdateOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, status_not_settable, organization_not_found, organization_frozen,
   * slug_taken, version_conflict
   */
  execute(caller: UserCaller, id: string, patch: UpdateOrganizationDto): Promise<OrganizationResponse> {
    const { updates, named } = partUpdates(patch, ['partnerId']);
    requireSettable(updates.status, SETTABLE_AT_UPDATE);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.organizationsRepository.lock(tx, caller, id);
      requireNotFrozen(known);
      requireVersion(caller, known.version);
      requireSame(named, known);
      const organization = await this.organizationsRepository.update(tx, caller, id, updates);
      tx.audit({
        action: 'organization.update',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
        details: {
          changedFields: Object.keys(updates),
          changes: changesOf(known, organization, Object.keys(updates)),
        },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}
