import { requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateSiteDto, SiteResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishSite } from '../rows/publish-state.ts';
import { insertion, returned } from '../rows/assignments.ts';
import { requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { SITE_COLUMNS, type SiteRow, siteView } from './site.view.ts';

@Injectable()
export class CreateSite {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError org_access_denied, site_access_denied, organization_frozen */
  execute(caller: UserCaller, draft: CreateSiteDto): Promise<SiteResponse> {
    requireWholeOrganization(caller);
    return this.work.run(caller, async (tx) => {
      const { id: orgId, partnerId } = await requireWritableForSite(tx, caller, draft.orgId);
      const { columns, placeholders, values } = insertion({ ...draft, id: newId(), partnerId, orgId });
      const site = returned(
        await tx.one<SiteRow>(
          `INSERT INTO sites (${columns}) VALUES (${placeholders}) RETURNING ${SITE_COLUMNS}, partner_id, version`,
          values,
        ),
      );
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
