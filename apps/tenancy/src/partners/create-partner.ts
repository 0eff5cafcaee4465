import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreatePartnerDto, PartnerResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../rows/publish-state.ts';
import { partnerView } from './partner.view.ts';
import { checkedSettings } from './partner-settings.ts';
import { PartnersRepository } from './partners.repository.ts';

@Injectable()
export class CreatePartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /**
   * Creates a partner, which is active unless the request says otherwise.
   * @throws ProblemError slug_taken
   */
  execute(caller: UserCaller, draft: CreatePartnerDto): Promise<PartnerResponse> {
    const settings = checkedSettings(draft.settings);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const partner = await this.partnersRepository.insert(tx, {
        ...draft,
        status: draft.status ?? 'active',
        settings,
      });
      tx.audit({
        action: 'partner.create',
        partnerId: partner.id,
        resource: { type: 'partner', id: partner.id, name: partner.name },
        details: { type: partner.type, plan: partner.plan, status: partner.status },
      });
      publishPartner(tx, partner);
      return partnerView(partner);
    });
  }
}
