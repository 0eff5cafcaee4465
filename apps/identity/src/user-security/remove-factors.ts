import { ProblemError } from '@gatehouse/contracts-core';
import type { MfaMethod } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

/** Deletes all second factors and recovery codes of a user, and revokes their sessions and mailed reset links. */
@Injectable()
export class RemoveFactors {
  constructor(
    private readonly factorsRepository: FactorsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @returns the kinds of the deleted factors @throws ProblemError factor_not_found */
  async execute(tx: Tx, userId: string): Promise<MfaMethod[]> {
    const kinds = await this.factorsRepository.deleteAll(tx, userId);
    if (kinds.length === 0) throw new ProblemError('factor_not_found', 'This person has no second factor.');
    await this.factorsRepository.deleteRecoveryCodes(tx, userId);
    await this.resetLinksRepository.revoke(tx, userId);
    await this.revokeSessions.ofUser(tx, userId, 'second_factor_reset');
    publishPrincipalsChanged(tx, userId, 'userIds', [userId]);
    return kinds;
  }
}
