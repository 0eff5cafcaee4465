import type { UserCaller } from '@gatehouse/contracts-core';
import type { SiteResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ExplainSiteAccess } from './explain-site-access.ts';
import { siteView } from './site.view.ts';
import { SitesRepository } from './sites.repository.ts';

@Injectable()
export class GetSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
    private readonly explainSiteAccess: ExplainSiteAccess,
  ) {}

  /** @throws ProblemError site_not_found, site_access_denied */
  async execute(caller: UserCaller, id: string): Promise<SiteResponse> {
    const site = await this.work.read(caller, (reader) => this.sitesRepository.find(reader, caller, id));
    if (!site) throw await this.explainSiteAccess.execute(caller, id);
    return siteView(site);
  }
}
