import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { SiteQuery, SiteResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SitesRepository } from './sites.repository.ts';

@Injectable()
export class ListSites {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sitesRepository: SitesRepository,
  ) {}

  execute(caller: UserCaller, query: SiteQuery): Promise<Page<SiteResponse>> {
    return this.work.read(caller, (reader) => this.sitesRepository.list(reader, caller, query));
  }
}
