import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../rows/publish-state.ts';
import { PartnersRepository } from './partners.repository.ts';

@Injectable()
export class DeletePartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /**
   * Soft delete: marks only the partner, not the rows below it.
   * @throws ProblemError partner_not_found
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const partner = await this.partnersRepository.softDelete(tx, caller, id);
      tx.audit({ action: 'partner.delete', partnerId: id, resource: { type: 'partner', id, name: partner.name } });
      publishPartner(tx, partner);
    });
  }
}
