import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { PartnerQuery, PartnerResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PartnersRepository } from './partners.repository.ts';

@Injectable()
export class ListPartners {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  execute(caller: UserCaller, query: PartnerQuery): Promise<Page<PartnerResponse>> {
    return this.work.read(caller, (reader) => this.partnersRepository.list(reader, caller, query));
  }
}
