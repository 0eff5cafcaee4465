import type { EventEnvelope } from '@gatehouse/contracts-core';
import { OrganizationChanged, type OrganizationState, PartnerChanged, type PartnerState, SiteChanged, type SiteState } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';

const KEEP_PARTNER = `
  INSERT INTO partner_ref AS known (partner_id, name, slug, status, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (partner_id) DO UPDATE SET name = EXCLUDED.name, slug = EXCLUDED.slug, status = EXCLUDED.status, deleted = EXCLUDED.deleted, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version`;
const KEEP_ORG = `
  INSERT INTO org_ref AS known (org_id, partner_id, name, status, deleted, merged_into_id, version) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (org_id) DO UPDATE SET name = EXCLUDED.name, status = EXCLUDED.status, deleted = EXCLUDED.deleted, merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version`;
const KEEP_SITE = `
  INSERT INTO site_ref AS known (site_id, org_id, partner_id, name, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (site_id) DO UPDATE SET org_id = EXCLUDED.org_id, name = EXCLUDED.name, deleted = EXCLUDED.deleted, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version`;

/** Keeps what identity needs to know of partners, organisations and sites; an older version never replaces a newer one. */
@Injectable()
export class KeepTenantRefs {
  @Consumes(PartnerChanged)
  async partner(tx: Tx, { data }: EventEnvelope<PartnerState>): Promise<void> {
    await tx.query(KEEP_PARTNER, [data.partnerId, data.name, data.slug, data.status, data.deleted, data.version]);
  }

  @Consumes(OrganizationChanged)
  async organization(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await tx.query(KEEP_ORG, [data.orgId, data.partnerId, data.name, data.status, data.deleted, data.mergedIntoId, data.version]);
  }

  @Consumes(SiteChanged)
  async site(tx: Tx, { data }: EventEnvelope<SiteState>): Promise<void> {
    await tx.query(KEEP_SITE, [data.siteId, data.orgId, data.partnerId, data.name, data.deleted, data.version]);
  }
}
