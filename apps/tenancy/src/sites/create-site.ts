import { requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateSiteDto, SiteResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishSite } from '../rows/publish-state.ts';
import { requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { siteView } from './site.view.ts';
import { SitesRepository } from './sites.repository.ts';

@Injectable()
export class CreateSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
  ) {}

  /** @throws ProblemError org_access_denied, site_access_denied, organization_frozen */
  execute(caller: UserCaller, draft: CreateSiteDto): Promise<SiteResponse> {
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { id: orgId, partnerId } = await requireWritableForSite(tx, caller, draft.orgId);
      const site = await this.sitesRepository.insert(tx, { ...draft, partnerId, orgId });
      tx.audit({
        action: 'site.create',
        partnerId,
        orgId,
        siteId: site.id,
        resource: { type: 'site', id: site.id, name: site.name },
      });
      publishSite(tx, site);
      return siteView(site);
    });
  }
}
