import type { EventEnvelope } from '@gatehouse/contracts-core';
import { OrganizationChanged, type OrganizationState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';

const KEEP = `
  INSERT INTO org_ref AS known (org_id, partner_id, merged_into_id, version) VALUES ($1, $2, $3, $4)
  ON CONFLICT (org_id) DO UPDATE SET merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version WHERE known.version < EXCLUDED.version`;

/** Keeps which organisation was merged into which, so that its log stays readable through the survivor. */
@Injectable()
export class KeepOrganizations {
  @Consumes(OrganizationChanged)
  async keep(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await tx.query(KEEP, [data.orgId, data.partnerId, data.mergedIntoId, data.version]);
  }
}
