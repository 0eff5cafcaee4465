import { changesOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  ArchivedOrganizationResponse,
  ArchiveOrganizationDto,
  OrganizationResponse,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../scope/rows.repository.ts';
import { publishOrganization, requestUninstall } from '../scope/publish-state.ts';
import { requireNotFrozen, requireNotSurviving } from '../scope/organizations-in-reach.repository.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { ORGANIZATION_FIELDS, organizationView } from './organizations.service.ts';
import { type OrganizationRow, OrganizationsRepository } from './organizations.repository.ts';

const notRestorable = ({ status }: OrganizationRow): ProblemError =>
  status === 'purging'
    ? new ProblemError('purge_started', 'The data of this organisation is being deleted; it cannot be restored.')
    : new ProblemError('organization_not_archived', 'This organisation is not archived.', {
        organizationStatus: status,
      });

@Injectable()
export class OrganizationArchiveService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly config: TenancyConfig,
  ) {}

  /**
   * Hides the organisation, stops writes below it and requests the removal of its agents. Its data is purged after
   * the retention, or never if that is null.
   */
  archiveOrganization(
    caller: UserCaller,
    id: string,
    { retentionDays }: ArchiveOrganizationDto,
  ): Promise<ArchivedOrganizationResponse> {
    const days = retentionDays === undefined ? this.config.orgArchiveDefaultRetentionDays : retentionDays;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.organizationsRepository.lock(tx, caller, id);
      requireNotFrozen(known);
      await requireNotSurviving(tx, id);
      const organization = await this.organizationsRepository.archive(tx, caller, id, days);
      const { partnerId, name, status, archivedAt, purgeAt } = organization;
      const devices = await this.organizationsRepository.devicesInService(tx, id);
      for (const device of devices) requestUninstall(tx, device, organization.version);
      tx.audit({
        action: 'organization.archive',
        partnerId,
        orgId: id,
        resource: { type: 'organization', id, name },
        details: {
          retentionDays: days,
          purgeAt,
          devices: devices.length,
          changes: changesOf(known, organization, ORGANIZATION_FIELDS),
        },
      });
      publishOrganization(tx, organization);
      return { id, status, archivedAt: returned(archivedAt), purgeAt };
    });
  }

  restoreOrganization(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizationsRepository.restore(tx, caller, id);
      if (!organization) throw notRestorable(await this.organizationsRepository.get(tx, caller, id));
      tx.audit({
        action: 'organization.restore',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
        details: { changes: { status: { before: 'archived', after: organization.status } } },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }
}
