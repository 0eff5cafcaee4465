import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishOrganization } from '../../rows/publish-state.ts';
import { organizationView } from '../organization.view.ts';
import { type OrganizationRow, OrganizationsRepository } from '../organizations.repository.ts';

@Injectable()
export class RestoreOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
  ) {}

  /** @throws ProblemError organization_not_found, organization_not_archived, purge_started */
  execute(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizationsRepository.restore(tx, caller, id);
      if (!organization) throw notRestorable(await this.organizationsRepository.get(tx, caller, id));
      tx.audit({
        action: 'organization.restore',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}

const notRestorable = ({ status }: OrganizationRow): ProblemError =>
  status === 'purging'
    ? new ProblemError('purge_started', 'The data of this organization is being deleted; it cannot be restored.')
    : new ProblemError('organization_not_archived', 'This organization is not archived.', {
        organizationStatus: status,
      });
