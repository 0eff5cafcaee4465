import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { announceProvider } from './announce-provider.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireMayChange } from './settings/provider-owner.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

/**
 * `DELETE /sso/providers/:id`: deletes the provider with its sign-in attempts, its identity links and the sessions that
 * it opened.
 */
@Injectable()
export class DeleteProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  execute(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const provider = await this.ssoProvidersRepository.lock(tx, caller, id);
      requireMayChange(caller, provider);
      await requireNotFrozen(tx, provider.orgId);
      requireVersion(caller, provider.version);
      await this.revokeSessions.ofProvider(tx, id, 'sso_provider_deleted');
      await this.ssoProvidersRepository.delete(tx, provider);
      announceProvider(tx, provider, { deleted: true });
      tx.audit({
        action: 'sso.provider.delete',
        resource: { type: 'sso_provider', id, name: provider.name },
        partnerId: provider.partnerId,
        orgId: provider.orgId,
      });
      return { success: true };
    });
  }
}
