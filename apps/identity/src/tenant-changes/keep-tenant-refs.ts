import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  OrganizationChanged,
  type OrganizationState,
  PartnerChanged,
  type PartnerState,
  SiteChanged,
  type SiteState,
} from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

const KEEP_PARTNER = `
  INSERT INTO partner_ref AS known (partner_id, name, slug, status, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (partner_id) DO UPDATE SET name = EXCLUDED.name, slug = EXCLUDED.slug, status = EXCLUDED.status, deleted = EXCLUDED.deleted, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version RETURNING partner_id`;
const KEEP_ORG = `
  INSERT INTO org_ref AS known (org_id, partner_id, name, status, deleted, merged_into_id, version) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (org_id) DO UPDATE SET name = EXCLUDED.name, status = EXCLUDED.status, deleted = EXCLUDED.deleted, merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version RETURNING org_id`;
const KEEP_SITE = `
  INSERT INTO site_ref AS known (site_id, org_id, partner_id, name, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (site_id) DO UPDATE SET org_id = EXCLUDED.org_id, name = EXCLUDED.name, deleted = EXCLUDED.deleted, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version`;

/** An archived organisation governs no users. */
const IS_ARCHIVED = `SELECT FROM org_ref WHERE org_id = $1 AND status = 'archived'`;
/** The organisation is deleted or being purged: later events about its sites are ignored. */
const IS_GONE = `SELECT FROM org_ref WHERE org_id = $1 AND (deleted OR status = 'purging')`;
/**
 * Invitations of a merged organisation move to the survivor; invitations of any other deleted organisation are deleted.
 */
const MOVE_OFFERS_TO_SURVIVOR = `
  UPDATE membership_offers t SET org_id = $2 WHERE t.org_id = $1 AND NOT EXISTS (SELECT FROM membership_offers o WHERE o.org_id = $2 AND o.email = t.email)`;
const DELETE_OFFERS = `DELETE FROM membership_offers WHERE org_id = $1`;

const PEOPLE_OF_PARTNER = `SELECT DISTINCT user_id FROM memberships WHERE partner_id = $1`;
const PEOPLE_OF_ORG = `SELECT DISTINCT user_id FROM memberships WHERE org_id = $1`;

/**
 * Stores what identity needs to know about partners, organisations and sites. An older version never replaces a newer
 * one.
 */
@Injectable()
export class KeepTenantRefs {
  constructor(private readonly revocation: RevokeSessions) {}

  @Consumes(PartnerChanged)
  async partner(tx: Tx, { data }: EventEnvelope<PartnerState>): Promise<void> {
    const kept = await tx.one(KEEP_PARTNER, [
      data.partnerId,
      data.name,
      data.slug,
      data.status,
      data.deleted,
      data.version,
    ]);
    if (kept) await this.publishChanges(tx, data.partnerId, PEOPLE_OF_PARTNER);
  }

  @Consumes(OrganizationChanged)
  async organization(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    const wasArchived = await tx.one(IS_ARCHIVED, [data.orgId]);
    const kept = await tx.one(KEEP_ORG, [
      data.orgId,
      data.partnerId,
      data.name,
      data.status,
      data.deleted,
      data.mergedIntoId,
      data.version,
    ]);
    if (!kept) return;
    const people = await this.publishChanges(tx, data.orgId, PEOPLE_OF_ORG);
    if (wasArchived && data.status === 'active') await this.endPasswordSessions(tx, data, people);
    if (data.deleted) await this.passOnInvitations(tx, data);
  }

  @Consumes(SiteChanged)
  async site(tx: Tx, { data }: EventEnvelope<SiteState>): Promise<void> {
    if (!(await tx.one(IS_GONE, [data.orgId])))
      await tx.query(KEEP_SITE, [data.siteId, data.orgId, data.partnerId, data.name, data.deleted, data.version]);
  }

  /**
   * A restored organisation governs its users again: revokes the sessions that they opened with a password while it was
   * archived.
   */
  private async endPasswordSessions(
    tx: Tx,
    { orgId, partnerId, name }: OrganizationState,
    people: readonly string[],
  ): Promise<void> {
    const sessions = await this.revocation.ofNewlyGoverned(tx, people);
    if (sessions > 0)
      tx.audit({
        action: 'session.revoke',
        partnerId,
        orgId,
        resource: { type: 'organization', id: orgId, name },
        details: { reason: 'sso_enforced', sessions },
      });
  }

  private async passOnInvitations(tx: Tx, { orgId, mergedIntoId }: OrganizationState): Promise<void> {
    if (mergedIntoId) await tx.query(MOVE_OFFERS_TO_SURVIVOR, [orgId, mergedIntoId]);
    await tx.query(DELETE_OFFERS, [orgId]);
  }

  /**
   * Publishes that the principals of the tenant's users have changed: a partner or organisation that is suspended,
   * archived or restored changes what their credentials permit.
   */
  private async publishChanges(tx: Tx, tenantId: string, people: string): Promise<string[]> {
    const userIds = (await tx.query<{ userId: string }>(people, [tenantId])).map(({ userId }) => userId);
    publishPrincipalsChanged(tx, tenantId, 'userIds', userIds);
    return userIds;
  }
}
