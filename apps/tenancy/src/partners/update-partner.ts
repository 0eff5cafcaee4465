import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse, UpdatePartnerDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { changePartner } from './change-partner.ts';
import { PartnersRepository } from './partners.repository.ts';

/**
 * Every status but `active` locks the partner's users out.
 * @throws ProblemError mfa_required
 */
function requireSecondFactor({ mfa }: UserCaller, { status }: UpdatePartnerDto): void {
  if (status !== undefined && status !== 'active' && !mfa)
    throw new ProblemError('mfa_required', 'Confirm your second factor to suspend a partner.');
}

@Injectable()
export class UpdatePartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /** @throws ProblemError mfa_required, no_updates_provided, partner_not_found, slug_taken */
  execute(caller: UserCaller, id: string, patch: UpdatePartnerDto): Promise<PartnerResponse> {
    requireSecondFactor(caller, patch);
    const change = changePartner(this.partnersRepository, { id, patch, action: 'partner.update' });
    return this.work.once(caller, caller.idempotency, (tx) => change(tx, caller));
  }
}
