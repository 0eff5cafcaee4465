import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, publishSite } from '../rows/publish-state.ts';
import { requireNotSurviving, requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { ExplainSiteAccess } from './explain-site-access.ts';
import { SitesRepository } from './sites.repository.ts';

@Injectable()
export class DeleteSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
    private readonly explainSiteAccess: ExplainSiteAccess,
  ) {}

  /**
   * Deletes the site with its enrollment keys; its contacts stay with the organisation.
   * @throws ProblemError site_not_found, site_access_denied, organization_frozen, conflict while devices are at the
   * site
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    const found = await this.work.run(caller, (tx) => this.delete(tx, caller, id));
    if (!found) throw await this.explainSiteAccess.execute(caller, id);
  }

  private async delete(tx: Tx, caller: UserCaller, id: string): Promise<boolean> {
    const known = await this.sitesRepository.find(tx, caller, id);
    if (!known) return false;
    await requireWritableForSite(tx, caller, known.orgId);
    // An unfinished merge may have to move sites back, together with the devices that were there.
    await requireNotSurviving(tx, known.orgId);
    if (!(await this.sitesRepository.lockForDeletion(tx, caller, id))) return false;
    await this.clear(tx, id);
    const site = await this.sitesRepository.delete(tx, caller, id);
    tx.audit({
      action: 'site.delete',
      partnerId: site.partnerId,
      orgId: site.orgId,
      siteId: id,
      resource: { type: 'site', id, name: site.name },
    });
    publishSite(tx, site, true);
    return true;
  }

  private async clear(tx: Tx, id: string): Promise<void> {
    if (await this.sitesRepository.hasDevicesInService(tx, id))
      throw new ProblemError('conflict', 'Devices are still at this site; move or decommission them first.');
    await this.sitesRepository.unpinContacts(tx, id);
    for (const device of await this.sitesRepository.deleteDecommissionedDevices(tx, id))
      publishDevice(tx, { ...device, version: device.version + 1 }, true);
  }
}
