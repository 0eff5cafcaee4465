import { asService, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SiteResponse } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OF_LIVING_ORGANIZATION, readableBelow } from '../scope/organizations-in-reach.repository.ts';
import { SITE_COLUMNS, type SiteRow, siteView } from './site.view.ts';

const ORG_LIVES = OF_LIVING_ORGANIZATION('sites.org_id');

/**
 * Returns the site if it is in the caller's reach, else null. Below a deleted organisation only the system can read.
 */
export function findSite(reader: Reader, caller: UserCaller, id: string): Promise<SiteRow | null> {
  const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'id' })
    .add('id = ?', id)
    .raw(readableBelow(caller, 'sites.org_id'));
  return reader.one<SiteRow>(`SELECT ${SITE_COLUMNS}, partner_id, version FROM sites ${where}`, parameters);
}

/** Explains why a site was not found in the caller's reach: another tenant's site answers 403, a missing site 404. */
@Injectable()
export class SiteAccess {
  constructor(private readonly work: UnitOfWork) {}

  async problem(caller: UserCaller, id: string): Promise<ProblemError> {
    const exists = await this.work.read(asService('tenancy', caller.origin), (reader) =>
      reader.one(`SELECT id FROM sites WHERE id = $1 AND ${ORG_LIVES}`, [id]),
    );
    return exists
      ? new ProblemError('site_access_denied', 'Access to this site denied.')
      : new ProblemError('site_not_found', 'Site not found.');
  }
}

@Injectable()
export class GetSite {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: SiteAccess,
  ) {}

  /** @throws ProblemError site_not_found, site_access_denied */
  async execute(caller: UserCaller, id: string): Promise<SiteResponse> {
    const site = await this.work.read(caller, (reader) => findSite(reader, caller, id));
    if (!site) throw await this.access.problem(caller, id);
    return siteView(site);
  }
}
