import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { SiteResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishSite } from '../rows/publish-state.ts';
import { requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { ExplainSiteAccess } from './explain-site-access.ts';
import { siteView } from './site.view.ts';
import { type SiteRow, SitesRepository } from './sites.repository.ts';

@Injectable()
export class UpdateSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
    private readonly explainSiteAccess: ExplainSiteAccess,
  ) {}

  /** @throws ProblemError no_updates_provided, site_not_found, site_access_denied, organization_frozen */
  async execute(caller: UserCaller, id: string, patch: UpdateSiteDto): Promise<SiteResponse> {
    const site = await this.work.once(caller, caller.idempotency, (tx) =>
      this.update(tx, caller, id, partUpdates(patch, ['orgId'])),
    );
    if (!site) throw await this.explainSiteAccess.execute(caller, id);
    return siteView(site);
  }

  private async update(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { updates, named }: ReturnType<typeof partUpdates<UpdateSiteDto, 'orgId'>>,
  ): Promise<SiteRow | null> {
    const known = await this.sitesRepository.find(tx, caller, id);
    if (!known) return null;
    await requireWritableForSite(tx, caller, known.orgId);
    requireSame(named, known);
    const site = await this.sitesRepository.update(tx, caller, id, updates);
    if (!site) return null;
    tx.audit({
      action: 'site.update',
      partnerId: site.partnerId,
      orgId: site.orgId,
      siteId: id,
      resource: { type: 'site', id, name: site.name },
      details: { changedFields: Object.keys(updates) },
    });
    publishSite(tx, site);
    return site;
  }
}
