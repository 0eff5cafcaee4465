import type { UserCaller } from '@gatehouse/contracts-core';
import type { ArchivedOrganizationResponse, ArchiveOrganizationDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../../rows/assignments.ts';
import { publishOrganization, requestUninstall } from '../../rows/publish-state.ts';
import { requireNotFrozen, requireNotSurviving } from '../../scope/organizations-in-reach.repository.ts';
import { TenancyConfig } from '../../tenancy.config.ts';
import { OrganizationsRepository } from '../organizations.repository.ts';

@Injectable()
export class ArchiveOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly config: TenancyConfig,
  ) {}

  /**
   * Hides the organisation, stops writes below it and requests the removal of its agents. Its data is purged after
   * the retention, or never if that is null.
   * @throws ProblemError organization_not_found, organization_frozen
   */
  execute(
    caller: UserCaller,
    id: string,
    { retentionDays }: ArchiveOrganizationDto,
  ): Promise<ArchivedOrganizationResponse> {
    const days = retentionDays === undefined ? this.config.orgArchiveDefaultRetentionDays : retentionDays;
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireNotFrozen(await this.organizationsRepository.lock(tx, caller, id));
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
        details: { retentionDays: days, purgeAt, devices: devices.length },
      });
      publishOrganization(tx, organization);
      return { id, status, archivedAt: returned(archivedAt), purgeAt };
    });
  }
}
