import { changesOf, invalid, mayGrant, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  API_KEY_PREFIX,
  type ApiKeyListResponse,
  type ApiKeyPolicyQuery,
  type ApiKeyPolicyRecord,
  type ApiKeyPolicyResponse,
  type CreateApiKeyDto,
  type DoneResponse,
  type NewApiKeyResponse,
  type SetApiKeyPolicyDto,
} from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Reader, shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { publishPrincipalsChanged } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/open-session.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { placementIn, requireReach } from '../people/grants/placement.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { ProviderOwner } from '../providers/configuration/settings/provider-owner.ts';
import { ApiKeysRepository, KEY_FIELDS, type KeyOrigin, keyOwnerInReach } from './api-keys.repository.ts';

/** The longest life of a key that a session of an identity provider makes, unless its owner sets another. */
const MAX_DAYS_BY_PROVIDER = 365;

const sessionEnded = (): ProblemError => new ProblemError('session_revoked', 'This session has ended; sign in again.');

const HINT_LENGTH = API_KEY_PREFIX.length + 4;

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly apiKeysRepository: ApiKeysRepository,
    private readonly sessionsRepository: SessionsRepository,
    private readonly providerOwner: ProviderOwner,
    private readonly users: UsersRepository,
  ) {}

  async list(caller: UserCaller): Promise<ApiKeyListResponse> {
    const owner = keyOwnerInReach(caller, 'users:read');
    return {
      data: await this.work.read(caller, (reader) => this.apiKeysRepository.list(reader, caller.scope, owner)),
    };
  }

  /**
   * POST /api-keys. A key carries a part of its creator's permissions, never more than the creator holds at the time of
   * use.
   */
  create(caller: UserCaller, input: CreateApiKeyDto): Promise<NewApiKeyResponse> {
    const sessionId = sessionOf(caller);
    if (!mayGrant(caller.permissions, input.permissions))
      throw new ProblemError('permission_denied', 'A key can only have permissions that you have yourself.');
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const data = await this.createIn(tx, caller, sessionId, input);
        tx.audit({
          action: 'api_key.create',
          resource: { type: 'api_key', id: data.id, name: input.name },
          details: { changes: changesOf(null, data, KEY_FIELDS) },
        });
        return { data };
      },
      shownOnce(({ data }) => data.id),
    );
  }

  private async createIn(
    tx: Tx,
    caller: UserCaller,
    sessionId: string,
    { name, permissions, expiresAt = null }: CreateApiKeyDto,
  ): Promise<NewApiKeyResponse['data']> {
    const origin = await this.apiKeysRepository.originOf(tx, sessionId);
    if (!origin) throw sessionEnded();
    const maxDays = await this.maxDaysOf(tx, origin);
    const { isAhead, isTooLong, longest } = await this.apiKeysRepository.lifeOf(tx, expiresAt, maxDays);
    if (!isAhead) throw invalid('expiresAt', 'must be in the future');
    if (isTooLong) throw invalid('expiresAt', `must be within ${maxDays} days`);
    const key = `${API_KEY_PREFIX}${randomToken()}`;
    const record = await this.apiKeysRepository.insert(tx, caller, origin, {
      id: newId(),
      name,
      hint: key.slice(0, HINT_LENGTH),
      permissions: [...new Set(permissions)],
      keyHash: sha256Hex(key),
      expiresAt: expiresAt ?? longest?.toISOString() ?? null,
    });
    // The insert waits for a transaction that ends this session, which cannot have seen the new key: check again.
    if (!(await this.sessionsRepository.findLive(tx, sessionId))) throw sessionEnded();
    return { ...record, key };
  }

  private async maxDaysOf(tx: Tx, origin: KeyOrigin): Promise<number | null> {
    const { effectiveDays } = await this.apiKeysRepository.policyOf(tx, origin);
    return effectiveDays ?? (origin.providerId === null ? null : MAX_DAYS_BY_PROVIDER);
  }

  getPolicy(caller: UserCaller, query: ApiKeyPolicyQuery): Promise<ApiKeyPolicyResponse> {
    return this.work.read(caller, async (reader) => {
      const owner = await this.providerOwner.named(reader, caller, query);
      return { data: await this.policyRecord(reader, owner) };
    });
  }

  private async policyRecord(reader: Reader, owner: Owner): Promise<ApiKeyPolicyRecord> {
    const policy = await this.apiKeysRepository.policyOf(reader, owner);
    return { ...owner, ...policy, providerDays: policy.effectiveDays ?? MAX_DAYS_BY_PROVIDER };
  }

  /** PUT /api-keys/policy: binds the keys that are made from now on (IDY-163). */
  setPolicy(caller: UserCaller, { maxDays, ...named }: SetApiKeyPolicyDto): Promise<ApiKeyPolicyResponse> {
    return this.work.run(caller, async (tx) => {
      const owner = await this.providerOwner.choose(tx, caller, named);
      const before = await this.policyRecord(tx, owner);
      await this.apiKeysRepository.setPolicy(tx, owner, maxDays);
      const data = await this.policyRecord(tx, owner);
      tx.audit({
        action: 'api_key_policy.update',
        resource: { type: 'api_key_policy', id: owner.orgId ?? owner.partnerId },
        ...owner,
        details: { changes: changesOf(before, data, ['maxDays', 'effectiveDays', 'providerDays']) },
      });
      return { data };
    });
  }

  /** Another user's key, like their invitation, is for a caller who reaches all that it does. */
  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    const owner = keyOwnerInReach(caller, 'users:write');
    await this.work.run(caller, async (tx) => {
      const deleted = await this.apiKeysRepository.delete(tx, caller.scope, id, owner);
      if (!deleted) throw new ProblemError('api_key_not_found', 'There is no such API key.');
      const other = deleted.createdBy !== caller.userId && (await this.users.find(tx, caller.scope, deleted.createdBy));
      if (other) for (const membership of other.memberships) requireReach(caller, placementIn(membership));
      publishPrincipalsChanged(tx, id, 'apiKeyIds', [id]);
      tx.audit({
        action: 'api_key.delete',
        resource: { type: 'api_key', id, name: deleted.name },
        partnerId: deleted.partnerId,
        orgId: deleted.orgId,
        details: { changes: changesOf(deleted, null, KEY_FIELDS) },
      });
    });
    return { success: true };
  }
}
