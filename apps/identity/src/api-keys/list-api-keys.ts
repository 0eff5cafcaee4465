import type { UserCaller } from '@gatehouse/contracts-core';
import type { ApiKeyListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository.ts';
import { keyOwnerInReach } from './keys-in-reach.ts';

/** GET /api-keys. */
@Injectable()
export class ListApiKeys {
  constructor(
    private readonly work: UnitOfWork,
    private readonly apiKeysRepository: ApiKeysRepository,
  ) {}

  async execute(caller: UserCaller): Promise<ApiKeyListResponse> {
    const owner = keyOwnerInReach(caller, 'users:read');
    return {
      data: await this.work.read(caller, (reader) => this.apiKeysRepository.list(reader, caller.scope, owner)),
    };
  }
}
