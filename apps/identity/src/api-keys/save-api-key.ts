import { has, invalid, mayGrant, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  API_KEY_PREFIX,
  type ApiKeyListResponse,
  type CreateApiKeyDto,
  type DoneResponse,
  type NewApiKeyResponse,
} from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '../sessions/session-of.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';

const HINT_LENGTH = API_KEY_PREFIX.length + 4;
const FUTURE = `SELECT $1::timestamptz > now() AS ahead`;

/** A caller who may administer users sees every key within reach; other callers see only their own. */
const ownOnly = (caller: UserCaller, permission: 'users:read' | 'users:write'): string | null =>
  has(caller, permission) ? null : caller.userId;

/**
 * /api-keys. A key carries a part of its creator's permissions, never more than the creator holds at the time of use.
 */
@Injectable()
export class SaveApiKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysRepository,
  ) {}

  async list(caller: UserCaller): Promise<ApiKeyListResponse> {
    return {
      data: await this.work.read(caller, (reader) =>
        this.keys.list(reader, caller.scope, ownOnly(caller, 'users:read')),
      ),
    };
  }

  create(caller: UserCaller, { name, permissions, expiresAt = null }: CreateApiKeyDto): Promise<NewApiKeyResponse> {
    const sessionId = sessionOf(caller);
    if (!mayGrant(caller.permissions, permissions))
      throw new ProblemError('permission_denied', 'A key can carry only what you hold yourself.');
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const ahead = expiresAt === null || (await tx.one<{ ahead: boolean }>(FUTURE, [expiresAt]))?.ahead;
      if (!ahead) throw invalid('expiresAt', 'must be in the future');
      const membership = await this.keys.membershipOf(tx, sessionId);
      if (!membership) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
      const key = `${API_KEY_PREFIX}${randomToken()}`;
      const record = await this.keys.insert(tx, caller, membership, {
        id: newId(),
        name,
        hint: key.slice(0, HINT_LENGTH),
        permissions: [...new Set(permissions)],
        keyHash: sha256Hex(key),
        expiresAt,
      });
      tx.audit({
        action: 'api_key.create',
        resource: { type: 'api_key', id: record.id, name },
        details: { permissions, expiresAt },
      });
      return { data: { ...record, key } };
    });
  }

  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const deleted = await this.keys.delete(tx, caller.scope, id, ownOnly(caller, 'users:write'));
      if (!deleted) throw new ProblemError('api_key_not_found', 'There is no such API key.');
      publishPrincipalsChanged(tx, id, 'apiKeyIds', [id]);
      tx.audit({ action: 'api_key.delete', resource: { type: 'api_key', id, name: deleted.name } });
    });
    return { success: true };
  }
}
