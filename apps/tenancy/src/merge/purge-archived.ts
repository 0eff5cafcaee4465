import { asService, type EventActor } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ORGANIZATION_COLUMNS, type OrganizationRow } from '../organizations/organization.view.ts';
import { publishOrganization } from '../rows/publish-state.ts';
import { TenancyConfig } from '../tenancy.config.ts';

const DUE = `
  UPDATE organizations SET status = 'purging' WHERE id IN
    (SELECT id FROM organizations WHERE status = 'archived' AND purge_at <= now() AND deleted_at IS NULL ORDER BY purge_at LIMIT 10 FOR UPDATE SKIP LOCKED)
  RETURNING ${ORGANIZATION_COLUMNS}, version`;
const INSERT = `
  INSERT INTO organization_runs (id, partner_id, org_id, kind, step, participants, status_before, started_by) VALUES ($1, $2, $3, 'purge', 'purge', $4, 'archived', $5)`;
const BY_ITSELF: EventActor = { type: 'system', id: null, name: 'retention' };

/** Starts the purge of archived organisations whose retention is over, in all services. The saga audits its end. */
@Injectable()
export class PurgeArchived implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly periodic: Periodic;

  constructor(
    private readonly work: UnitOfWork,
    private readonly config: TenancyConfig,
    @Inject(LOGGER) log: Logger,
  ) {
    this.periodic = new Periodic('purge', config.purgeSweepSeconds * 1000, () => this.execute(), log);
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.periodic.stop();
  }

  async execute(): Promise<void> {
    await this.work.background(asService('tenancy'), async (tx) => {
      for (const organization of await tx.query<OrganizationRow>(DUE)) await this.begin(tx, organization);
    });
  }

  private async begin(tx: Tx, organization: OrganizationRow): Promise<void> {
    const { id: sourceId, partnerId } = organization;
    const runId = newId();
    await tx.query(INSERT, [runId, partnerId, sourceId, this.config.tenantDataParticipants, BY_ITSELF]);
    publishOrganization(tx, organization);
    tx.emit(TenantDataRequested, { runId, step: 'purge', sourceId, targetId: null }, { aggregateId: runId });
  }
}
