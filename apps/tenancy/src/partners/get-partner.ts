import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PARTNER_COLUMNS } from './partner.view.ts';

export const partnerNotFound = (): ProblemError => new ProblemError('partner_not_found', 'Partner not found.');

/** @throws ProblemError partner_context_required for a session that belongs to no partner */
export function ownPartnerOf(caller: UserCaller): string {
  if (caller.partnerId === null)
    throw new ProblemError('partner_context_required', 'This needs a partner in the session.');
  return caller.partnerId;
}

@Injectable()
export class GetPartner {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError partner_not_found, also for a soft-deleted partner */
  async execute(caller: UserCaller, id: string): Promise<PartnerResponse> {
    const { where, parameters } = scoped(caller.scope, { partner: 'id' }).add('id = ?', id).raw('deleted_at IS NULL');
    const partner = await this.work.read(caller, (reader) =>
      reader.one<PartnerResponse>(`SELECT ${PARTNER_COLUMNS} FROM partners ${where}`, parameters),
    );
    if (!partner) throw partnerNotFound();
    return partner;
  }
}
