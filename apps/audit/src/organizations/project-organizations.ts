import type { EventEnvelope } from '@gatehouse/contracts-core';
import { OrganizationChanged, type OrganizationState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { type TenantDataRequest, TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { SignCheckpoints } from '../checkpoints/sign-checkpoints.ts';
import { OrganizationsRepository } from './organizations.repository.ts';

/**
 * Records which organisation was merged into which, so that the log of a merged organisation stays readable through
 * the survivor.
 */
@Injectable()
export class ProjectOrganizations {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly checkpoints: SignCheckpoints,
  ) {}

  @Consumes(OrganizationChanged)
  async keep(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await this.organizations.keep(tx, data);
  }

  /**
   * A purge deletes an organisation's rows in every other service; here its chain is signed and its entries stay
   * (decisions, "purge").
   */
  @Consumes(TenantDataRequested)
  async sealPurged(tx: Tx, { data }: EventEnvelope<TenantDataRequest>): Promise<void> {
    if (data.step !== 'purge') return;
    const known = await this.organizations.find(tx, data.sourceId);
    if (known) await this.checkpoints.seal(tx, known.partnerId);
  }
}
