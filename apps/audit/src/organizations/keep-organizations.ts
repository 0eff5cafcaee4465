import type { EventEnvelope } from '@gatehouse/contracts-core';
import { OrganizationChanged, type OrganizationState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { type TenantDataRequest, TenantDataRequested } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { SignCheckpoints } from '../checkpoints/sign-checkpoints.ts';

const KEEP = `
  INSERT INTO org_ref AS known (org_id, partner_id, merged_into_id, version) VALUES ($1, $2, $3, $4)
  ON CONFLICT (org_id) DO UPDATE SET merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version WHERE known.version < EXCLUDED.version`;

const PARTNER_OF = 'SELECT partner_id FROM org_ref WHERE org_id = $1';

/**
 * Records which organisation was merged into which, so that the log of a merged organisation stays readable through
 * the survivor.
 */
@Injectable()
export class KeepOrganizations {
  constructor(private readonly checkpoints: SignCheckpoints) {}

  @Consumes(OrganizationChanged)
  async keep(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await tx.query(KEEP, [data.orgId, data.partnerId, data.mergedIntoId, data.version]);
  }

  /**
   * A purge deletes an organisation's rows in every other service; here its chain is signed and its entries stay
   * (decisions, "purge").
   */
  @Consumes(TenantDataRequested)
  async sealPurged(tx: Tx, { data }: EventEnvelope<TenantDataRequest>): Promise<void> {
    if (data.step !== 'purge') return;
    const known = await tx.one<{ partnerId: string }>(PARTNER_OF, [data.sourceId]);
    if (known) await this.checkpoints.seal(tx, known.partnerId);
  }
}
