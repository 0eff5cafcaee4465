import type { Page, PageQuery, UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PartnersRepository } from './partners.repository.ts';

@Injectable()
export class ListPartners {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  execute(caller: UserCaller, query: PageQuery): Promise<Page<PartnerResponse>> {
    return this.work.read(caller, (reader) => this.partnersRepository.list(reader, caller, query));
  }
}
