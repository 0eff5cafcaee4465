import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, publishSite, type PublishedDevice, DEVICE_STATE } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireNotSurviving, requireWritableForSite } from '../scope/organizations-in-reach.repository.ts';
import { findSite, SiteAccess } from './get-site.ts';
import type { SiteRow } from './site.view.ts';

const LIVING_DEVICES = `SELECT id FROM devices WHERE site_id = $1 AND status <> 'decommissioned' LIMIT 1`;
// Locks the site's placements: pinning a contact to the site needs the same lock, through the foreign key.
const HOLD_PLACEMENTS = 'SELECT FROM site_placements WHERE site_id = $1 FOR UPDATE';
const UNPIN_CONTACTS = 'UPDATE contacts SET site_id = NULL, is_primary = false WHERE site_id = $1';
const FORGET_DEVICES = `DELETE FROM devices d WHERE site_id = $1 AND status = 'decommissioned' RETURNING ${DEVICE_STATE}`;

@Injectable()
export class DeleteSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: SiteAccess,
  ) {}

  /**
   * Deletes the site with its enrollment keys; its contacts stay with the organisation.
   * @throws ProblemError site_not_found, site_access_denied, organization_frozen, conflict while devices are at the
   * site
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    const found = await this.work.run(caller, (tx) => this.delete(tx, caller, id));
    if (!found) throw await this.access.problem(caller, id);
  }

  private async delete(tx: Tx, caller: UserCaller, id: string): Promise<boolean> {
    const known = await findSite(tx, caller, id);
    if (!known) return false;
    await requireWritableForSite(tx, caller, known.orgId);
    // An unfinished merge may have to move sites back, together with the devices that were there.
    await requireNotSurviving(tx, known.orgId);
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' }).add(
      'id = ?',
      id,
    );
    // The row lock blocks concurrent enrolments and moves that would add a device.
    if (!(await tx.one(`SELECT id FROM sites ${where} FOR UPDATE`, parameters))) return false;
    await tx.query(HOLD_PLACEMENTS, [id]);
    await this.clear(tx, id);
    const site = returned(
      await tx.one<SiteRow>(
        `DELETE FROM sites ${where} RETURNING id, org_id, partner_id, name, version + 1 AS version`,
        parameters,
      ),
    );
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
    if (await tx.one(LIVING_DEVICES, [id]))
      throw new ProblemError('conflict', 'Devices are still at this site; move or decommission them first.');
    await tx.query(UNPIN_CONTACTS, [id]);
    for (const device of await tx.query<PublishedDevice>(FORGET_DEVICES, [id]))
      publishDevice(tx, { ...device, version: device.version + 1 }, true);
  }
}
