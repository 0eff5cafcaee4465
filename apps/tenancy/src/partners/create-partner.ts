import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreatePartnerDto, PartnerResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../rows/publish-state.ts';
import { insertion, returned } from '../rows/assignments.ts';
import { PARTNER_COLUMNS, type PartnerRow, partnerView } from './partner.view.ts';
import { checkedSettings } from './partner-settings.ts';

export const partnerSlugTaken = {
  partner_slug_unique: () => new ProblemError('slug_taken', 'Another partner has this slug.'),
};

@Injectable()
export class CreatePartner {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Creates a partner, which is active unless the request says otherwise.
   * @throws ProblemError slug_taken
   */
  execute(caller: UserCaller, draft: CreatePartnerDto): Promise<PartnerResponse> {
    const { columns, placeholders, values } = insertion({
      ...draft,
      id: newId(),
      status: draft.status ?? 'active',
      settings: checkedSettings(draft.settings),
    });
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const row = await tx
        .one<PartnerRow>(
          `INSERT INTO partners (${columns}) VALUES (${placeholders}) RETURNING ${PARTNER_COLUMNS}, version`,
          values,
        )
        .catch(onConstraint(partnerSlugTaken));
      const partner = returned(row);
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
