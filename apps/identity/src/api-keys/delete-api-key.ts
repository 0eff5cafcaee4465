import { changesOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { ApiKeysRepository, KEY_FIELDS } from './api-keys.repository.ts';
import { keyOwnerInReach } from './keys-in-reach.ts';

/** DELETE /api-keys/:id. */
@Injectable()
export class DeleteApiKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly apiKeysRepository: ApiKeysRepository,
  ) {}

  /** @throws ProblemError api_key_not_found */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    const owner = keyOwnerInReach(caller, 'users:write');
    await this.work.run(caller, async (tx) => {
      const deleted = await this.apiKeysRepository.delete(tx, caller.scope, id, owner);
      if (!deleted) throw new ProblemError('api_key_not_found', 'There is no such API key.');
      publishPrincipalsChanged(tx, id, 'apiKeyIds', [id]);
      tx.audit({
        action: 'api_key.delete',
        resource: { type: 'api_key', id, name: deleted.name },
        details: { changes: changesOf(deleted, null, KEY_FIELDS) },
      });
    });
    return { success: true };
  }
}
