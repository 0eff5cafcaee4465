import { type UserCaller, Uuid } from '@gatehouse/contracts-core';
import type { DomainRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { domainRecordOf } from './domains.service.ts';
import { DomainsRepository } from './domains.repository.ts';

export class ListDomainsQuery {
  @Uuid({ optional: true }) orgId?: string;
}

/** `GET /sso/domains` */
@Injectable()
export class ListDomains {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
  ) {}

  async list(caller: UserCaller, { orgId }: ListDomainsQuery): Promise<DomainRecord[]> {
    const domains = await this.work.read(caller, (reader) => this.domainsRepository.list(reader, caller.scope, orgId));
    return domains.map(domainRecordOf);
  }
}
