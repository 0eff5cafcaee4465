import { requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { domainResource } from './domain.view.ts';
import { DomainsRepository } from './domains.repository.ts';

/** `DELETE /sso/domains/:id` */
@Injectable()
export class DeleteDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
  ) {}

  execute(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const domain = await this.domainsRepository.get(tx, caller.scope, id);
      requireWholeOrganization(caller);
      await requireNotFrozen(tx, domain.orgId);
      await this.domainsRepository.delete(tx, domain);
      tx.audit({
        action: 'sso.domain.delete',
        resource: domainResource(domain),
        partnerId: domain.partnerId,
        orgId: domain.orgId,
      });
      return { success: true };
    });
  }
}
