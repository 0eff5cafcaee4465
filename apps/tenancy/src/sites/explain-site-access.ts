import { asService, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SitesRepository } from './sites.repository.ts';

/** Explains why a site was not found in the caller's reach: another tenant's site answers 403, a missing site 404. */
@Injectable()
export class ExplainSiteAccess {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<ProblemError> {
    const exists = await this.work.read(asService('tenancy', caller.origin), (reader) =>
      this.sitesRepository.exists(reader, id),
    );
    return exists
      ? new ProblemError('site_access_denied', 'Access to this site denied.')
      : new ProblemError('site_not_found', 'Site not found.');
  }
}
