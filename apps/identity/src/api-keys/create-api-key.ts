import { invalid, mayGrant, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { API_KEY_PREFIX, type CreateApiKeyDto, type NewApiKeyResponse } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '../sessions/session-of.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';

const HINT_LENGTH = API_KEY_PREFIX.length + 4;

/**
 * POST /api-keys. A key carries a part of its creator's permissions, never more than the creator holds at the time of
 * use.
 */
@Injectable()
export class CreateApiKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly apiKeysRepository: ApiKeysRepository,
  ) {}

  execute(caller: UserCaller, input: CreateApiKeyDto): Promise<NewApiKeyResponse> {
    const sessionId = sessionOf(caller);
    if (!mayGrant(caller.permissions, input.permissions))
      throw new ProblemError('permission_denied', 'A key can carry only what you hold yourself.');
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const data = await this.create(tx, caller, sessionId, input);
        tx.audit({
          action: 'api_key.create',
          resource: { type: 'api_key', id: data.id, name: input.name },
          details: { permissions: input.permissions, expiresAt: input.expiresAt ?? null },
        });
        return { data };
      },
      shownOnce(({ data }) => data.id),
    );
  }

  private async create(
    tx: Tx,
    caller: UserCaller,
    sessionId: string,
    { name, permissions, expiresAt = null }: CreateApiKeyDto,
  ): Promise<NewApiKeyResponse['data']> {
    if (expiresAt !== null && !(await this.apiKeysRepository.isFuture(tx, expiresAt)))
      throw invalid('expiresAt', 'must be in the future');
    const membership = await this.apiKeysRepository.membershipOf(tx, sessionId);
    if (!membership) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    const key = `${API_KEY_PREFIX}${randomToken()}`;
    const record = await this.apiKeysRepository.insert(tx, caller, membership, {
      id: newId(),
      name,
      hint: key.slice(0, HINT_LENGTH),
      permissions: [...new Set(permissions)],
      keyHash: sha256Hex(key),
      expiresAt,
    });
    return { ...record, key };
  }
}
