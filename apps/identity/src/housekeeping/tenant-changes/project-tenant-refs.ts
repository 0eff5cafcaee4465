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
import { MembershipsRepository } from '../../people/memberships/memberships.repository.ts';
import { OffersRepository } from '../../people/offers/offers.repository.ts';
import { SetupLinksRepository } from '../../providers/setup-links.repository.ts';
import { auditRevocation } from '../../people/offers/withdraw-dead-offers.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { TenantRefsRepository } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

/**
 * Stores what identity needs to know about partners, organisations and sites. An older version never replaces a newer
 * one.
 */
@Injectable()
export class ProjectTenantRefs {
  constructor(
    private readonly tenantRefsRepository: TenantRefsRepository,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly offersRepository: OffersRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly setupLinksRepository: SetupLinksRepository,
  ) {}

  @Consumes(PartnerChanged)
  async partner(tx: Tx, { data }: EventEnvelope<PartnerState>): Promise<void> {
    if (!(await this.tenantRefsRepository.savePartner(tx, data))) return;
    publishUsers(tx, data.partnerId, await this.membershipsRepository.userIdsOfPartner(tx, data.partnerId));
  }

  @Consumes(OrganizationChanged)
  async organization(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    const wasArchived = await this.tenantRefsRepository.isArchived(tx, data.orgId);
    if (!(await this.tenantRefsRepository.saveOrganization(tx, data))) return;
    const userIds = await this.membershipsRepository.userIdsOfOrganization(tx, data.orgId);
    publishUsers(tx, data.orgId, userIds);
    if (wasArchived && data.status === 'active') await this.endPasswordSessions(tx, data, userIds);
    if (data.status === 'archived' && !wasArchived) await this.revokeSetupLinks(tx, data.orgId);
    if (data.deleted) await this.passOnInvitations(tx, data);
  }

  /** Ignores later events about the sites of an organisation that is deleted or being purged. */
  @Consumes(SiteChanged)
  async site(tx: Tx, { data }: EventEnvelope<SiteState>): Promise<void> {
    if (!(await this.tenantRefsRepository.isGone(tx, data.orgId))) await this.tenantRefsRepository.saveSite(tx, data);
  }

  /**
   * An archived organisation governs no users, and a restored one governs them again: revokes the sessions that they
   * opened with a password in between.
   */
  private async endPasswordSessions(
    tx: Tx,
    { orgId, partnerId, name }: OrganizationState,
    userIds: readonly string[],
  ): Promise<void> {
    const sessions = await this.revokeSessions.ofNewlyGoverned(tx, userIds);
    if (sessions > 0)
      tx.audit({
        action: 'session.revoke',
        partnerId,
        orgId,
        resource: { type: 'organization', id: orgId, name },
        details: { reason: 'sso_enforced', sessions },
      });
  }

  private async revokeSetupLinks(tx: Tx, orgId: string): Promise<void> {
    for (const link of await this.setupLinksRepository.revokeOfOrganization(tx, orgId))
      auditRevocation(tx, link, 'organization_archived');
  }

  /**
   * Invitations of a merged organisation move to the survivor; invitations of any other deleted organisation are
   * deleted.
   */
  private async passOnInvitations(tx: Tx, { orgId, mergedIntoId }: OrganizationState): Promise<void> {
    if (mergedIntoId) await this.offersRepository.moveToSurvivor(tx, orgId, mergedIntoId);
    await this.offersRepository.deleteOfOrganization(tx, orgId);
  }
}

/**
 * Publishes that the principals of the tenant's users have changed: a partner or organisation that is suspended,
 * archived or restored changes what their credentials permit.
 */
function publishUsers(tx: Tx, tenantId: string, userIds: readonly string[]): void {
  publishPrincipalsChanged(tx, tenantId, 'userIds', userIds);
}
