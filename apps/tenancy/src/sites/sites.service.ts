import {
  asService,
  type Page,
  partUpdates,
  ProblemError,
  requireSame,
  requireWholeOrganization,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { CreateSiteDto, SiteQuery, SiteResponse, UpdateSiteDto } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { lockContacts } from '../contacts/contacts.repository.ts';
import { publishDevice, publishSite } from '../scope/publish-state.ts';
import {
  requireNotSurviving,
  requireReadableForSites,
  requireWritableForSite,
} from '../scope/organizations-in-reach.repository.ts';
import { type SiteRow, SitesRepository } from './sites.repository.ts';

const siteView = (site: SiteRow): SiteResponse => ({
  id: site.id,
  orgId: site.orgId,
  name: site.name,
  timezone: site.timezone,
  address: site.address,
  contact: site.contact,
  settings: site.settings,
  createdAt: site.createdAt,
  updatedAt: site.updatedAt,
});

@Injectable()
export class SitesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
  ) {}

  /** @throws ProblemError org_access_denied, organization_not_found when the organisation asked for is out of reach */
  list(caller: UserCaller, query: SiteQuery): Promise<Page<SiteResponse>> {
    return this.work.read(caller, async (reader) => {
      for (const orgId of [query.orgId, query.organizationId])
        if (orgId) await requireReadableForSites(reader, caller, orgId);
      return this.sitesRepository.list(reader, caller, query);
    });
  }

  async get(caller: UserCaller, id: string): Promise<SiteResponse> {
    const site = await this.work.read(caller, (reader) => this.sitesRepository.find(reader, caller, id));
    if (!site) throw await this.explainSiteAccess(caller, id);
    return siteView(site);
  }

  create(caller: UserCaller, draft: CreateSiteDto): Promise<SiteResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { id: orgId, partnerId } = await requireWritableForSite(tx, caller, draft.orgId);
      requireWholeOrganization(caller);
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

  async update(caller: UserCaller, id: string, patch: UpdateSiteDto): Promise<SiteResponse> {
    const site = await this.work.once(caller, caller.idempotency, (tx) =>
      this.updateIn(tx, caller, id, partUpdates(patch, ['orgId'])),
    );
    if (!site) throw await this.explainSiteAccess(caller, id);
    return siteView(site);
  }

  private async updateIn(
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

  /**
   * Deletes the site with its enrollment keys; its contacts stay with the organisation.
   * @throws ProblemError site_not_found, site_access_denied, organization_frozen, conflict while devices are at the
   * site
   */
  async delete(caller: UserCaller, id: string): Promise<void> {
    const found = await this.work.run(caller, (tx) => this.deleteIn(tx, caller, id));
    if (!found) throw await this.explainSiteAccess(caller, id);
  }

  private async deleteIn(tx: Tx, caller: UserCaller, id: string): Promise<boolean> {
    const known = await this.sitesRepository.find(tx, caller, id);
    if (!known) return false;
    await requireWritableForSite(tx, caller, known.orgId);
    // An unfinished merge may have to move sites back, together with the devices that were there.
    await requireNotSurviving(tx, known.orgId);
    // A request that assigns a contact to this site locks the contacts first and the site second: so does the deletion.
    await lockContacts(tx, [known.orgId]);
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
      publishDevice(tx, { ...device, version: device.version + 1 }, { deleted: true });
  }

  /**
   * Explains why a site was not found in the caller's reach: another tenant's site answers 403, a missing site 404.
   */
  async explainSiteAccess(caller: UserCaller, id: string): Promise<ProblemError> {
    const exists = await this.work.read(asService('tenancy', caller.origin), (reader) =>
      this.sitesRepository.exists(reader, id),
    );
    return exists
      ? new ProblemError('site_access_denied')
      : new ProblemError('site_not_found', 'There is no such site.');
  }
}
