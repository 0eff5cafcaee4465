import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

interface Joining {
  readonly id: string;
  readonly email: string;
  /** Those before the user joins. */
  readonly memberships: Parameters<typeof tenantOf>[0];
}

/**
 * For a user who joins another tenant: deletes the factors that sessions of identity providers enrolled, with the
 * recovery codes, and revokes all sessions. A provider is trusted by one tenant only; its administrator could hold
 * these factors, and with them lock the user out of the other tenant. The user enrols a factor of their own next.
 */
@Injectable()
export class RemoveProviderFactors {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(tx: Tx, { id, email, memberships }: Joining): Promise<void> {
    await this.usersRepository.lock(tx, id);
    const kinds = await this.factorsRepository.deleteOfProviders(tx, id);
    if (kinds.length === 0) return;
    await this.factorsRepository.deleteRecoveryCodes(tx, id);
    await this.resetLinksRepository.revoke(tx, id);
    await this.revokeSessions.ofUser(tx, id, 'factor_removed');
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    tx.audit({
      action: 'user.mfa.remove',
      resource: { type: 'user', id, name: email },
      ...tenantOf(memberships),
      details: { reason: 'provider_session', kinds },
    });
  }
}
