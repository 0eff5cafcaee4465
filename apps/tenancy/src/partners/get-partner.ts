import type { UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { partnerView } from './partner.view.ts';
import { PartnersRepository } from './partners.repository.ts';

@Injectable()
export class GetPartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /** @throws ProblemError partner_not_found, also for a soft-deleted partner */
  async execute(caller: UserCaller, id: string): Promise<PartnerResponse> {
    return partnerView(await this.work.read(caller, (reader) => this.partnersRepository.get(reader, caller, id)));
  }
}
