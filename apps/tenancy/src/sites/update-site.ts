import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { SiteResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishSite } from '../rows/publish-state.ts';
import { assignments } from '../rows/assignments.ts';
import { requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { findSite, SiteAccess } from './get-site.ts';
import { SITE_COLUMNS, type SiteRow, siteView } from './site.view.ts';

@Injectable()
export class UpdateSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: SiteAccess,
  ) {}

  /** @throws ProblemError no_updates_provided, site_not_found, site_access_denied, organization_frozen */
  async execute(caller: UserCaller, id: string, patch: UpdateSiteDto): Promise<SiteResponse> {
    const site = await this.work.run(caller, (tx) => this.update(tx, caller, id, partUpdates(patch, ['orgId'])));
    if (!site) throw await this.access.problem(caller, id);
    return siteView(site);
  }

  private async update(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { updates, named }: ReturnType<typeof partUpdates<UpdateSiteDto, 'orgId'>>,
  ): Promise<SiteRow | null> {
    const known = await findSite(tx, caller, id);
    if (!known) return null;
    await requireWritableForSite(tx, caller, known.orgId);
    requireSame(named, known);
    const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' }).add('id = ?', id);
    const set = assignments(updates, conditions);
    const site = await tx.one<SiteRow>(
      `UPDATE sites SET ${set} ${conditions.where} RETURNING ${SITE_COLUMNS}, partner_id, version`,
      conditions.parameters,
    );
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
