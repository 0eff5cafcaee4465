import { asService, type EventActor } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { type OrganizationRow, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { publishOrganization } from '../scope/publish-state.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';

const RETENTION: EventActor = { type: 'system', id: null, name: 'retention' };

/** Starts the purge of archived organisations whose retention is over, in all services. The saga audits its end. */
@Injectable()
export class PurgeArchived {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
    private readonly config: TenancyConfig,
  ) {}

  @Every(({ purgeSweepSeconds }: TenancyConfig) => purgeSweepSeconds * 1000, 'purge')
  async purge(): Promise<void> {
    await this.work.background(asService('tenancy'), async (tx) => {
      for (const organization of await this.organizationsRepository.beginDuePurges(tx))
        await this.begin(tx, organization);
    });
  }

  private async begin(tx: Tx, organization: OrganizationRow): Promise<void> {
    const { id: sourceId, partnerId } = organization;
    const runId = await this.organizationRunsRepository.insert(tx, {
      partnerId,
      orgId: sourceId,
      kind: 'purge',
      step: 'purge',
      participants: this.config.tenantDataParticipants,
      statusBefore: 'archived',
      startedBy: RETENTION,
    });
    publishOrganization(tx, organization);
    tx.emit(TenantDataRequested, { runId, step: 'purge', sourceId, targetId: null }, { aggregateId: runId });
  }
}
