import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse, UpdateOwnPartnerDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { changePartner } from '../partners.service.ts';
import { PartnersRepository } from '../partners.repository.ts';
import { ownPartnerOf } from './own-partner.ts';

/** Updates the caller's own partner, where fewer fields are allowed than for an administrator. */
@Injectable()
export class UpdateOwnPartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /** The caller must reach every organisation of the partner, because the record concerns all of them. */
  update(caller: UserCaller, patch: UpdateOwnPartnerDto): Promise<PartnerResponse> {
    const id = ownPartnerOf(caller);
    if (caller.scope.orgs !== 'all')
      throw new ProblemError(
        'org_access_denied',
        'Your access is limited to chosen organizations; editing the partner needs access to all.',
      );
    const change = changePartner(this.partnersRepository, { id, patch, action: 'partner.settings.update' });
    return this.work.once(caller, caller.idempotency, (tx) => change(tx, caller));
  }
}
