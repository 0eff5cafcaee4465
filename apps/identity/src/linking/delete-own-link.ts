import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OwnLinksRepository } from './own-links.repository.ts';

/** `DELETE /sso/link/:providerId`: removes the caller's identity link at a provider. */
@Injectable()
export class DeleteOwnLink {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ownLinksRepository: OwnLinksRepository,
  ) {}

  /** @throws ProblemError sso_link_not_found */
  execute(caller: UserCaller, providerId: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const tenant = await this.ownLinksRepository.delete(tx, caller, providerId);
      if (!tenant)
        throw new ProblemError('sso_link_not_found', 'No identity of this provider is linked to your account.');
      tx.audit({
        action: 'sso.identity.unlink',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        ...tenant,
        details: { providerId },
      });
      return { success: true };
    });
  }
}
