import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnrollmentKeysRepository, type UsedKey } from '../../enrollment-keys/enrollment-keys.repository.ts';
import { requireNotFrozen } from '../../scope/organizations-in-reach.repository.ts';
import { AgentsRepository } from '../agents.repository.ts';

const invalidKey = (): ProblemError => new ProblemError('enrollment_key_invalid', 'The enrollment key is not valid.');

/** Counts one use of an enrollment key, if agents can enrol with it. */
@Injectable()
export class UseEnrollmentKey {
  constructor(
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  /**
   * @throws ProblemError enrollment_key_invalid, enrollment_key_expired, enrollment_key_exhausted,
   * organization_frozen, partner_inactive
   */
  async execute(tx: Tx, keyHash: string): Promise<UsedKey> {
    const key = await this.enrollmentKeysRepository.use(tx, keyHash);
    if (!key) throw await this.problemWith(tx, keyHash);
    const tenant = await this.agentsRepository.lockTenant(tx, key.orgId);
    if (!tenant) throw invalidKey();
    if (tenant.partnerStatus !== 'active') throw new ProblemError('partner_inactive', 'This partner is not active.');
    requireNotFrozen(tenant);
    return key;
  }

  private async problemWith(tx: Tx, keyHash: string): Promise<ProblemError> {
    const state = await this.enrollmentKeysRepository.stateOf(tx, keyHash);
    if (state?.expired) return new ProblemError('enrollment_key_expired', 'The enrollment key has expired.');
    if (state?.exhausted)
      return new ProblemError('enrollment_key_exhausted', 'The enrollment key has been used as often as it may be.');
    return invalidKey();
  }
}
