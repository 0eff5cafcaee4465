import type { UserCaller } from '@gatehouse/contracts-core';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../rows/publish-state.ts';
import { partnerNotFound } from './get-partner.ts';
import { PARTNER_COLUMNS, type PartnerRow } from './partner.view.ts';

@Injectable()
export class DeletePartner {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Soft delete: marks only the partner, not the rows below it.
   * @throws ProblemError partner_not_found
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = scoped(caller.scope, { partner: 'id' }).add('id = ?', id).raw('deleted_at IS NULL');
    await this.work.run(caller, async (tx) => {
      const partner = await tx.one<PartnerRow>(
        `UPDATE partners SET deleted_at = now() ${where} RETURNING ${PARTNER_COLUMNS}, version`,
        parameters,
      );
      if (!partner) throw partnerNotFound();
      tx.audit({ action: 'partner.delete', partnerId: id, resource: { type: 'partner', id, name: partner.name } });
      publishPartner(tx, partner);
    });
  }
}
