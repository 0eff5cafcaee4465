import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type BreakGlassOwner, BreakGlassRepository } from './break-glass.repository.ts';

/** Per owner: enough to get in while the identity provider is down, few enough to watch. */
export const MAX_BREAK_GLASS = 2;

/**
 * Decisions, "enforcement safety": each owner has at most two break-glass users, no matter how they became its members.
 */
@Injectable()
export class RequireBreakGlassLimit {
  constructor(private readonly breakGlassRepository: BreakGlassRepository) {}

  /**
   * @param userId a user who is a break-glass user or becomes one
   * @throws ProblemError break_glass_limit_reached
   */
  async execute(tx: Tx, userId: string, owners: readonly BreakGlassOwner[]): Promise<void> {
    for (const owner of owners)
      if ((await this.breakGlassRepository.countOthers(tx, owner, userId)) >= MAX_BREAK_GLASS)
        throw new ProblemError('break_glass_limit_reached', `There are ${MAX_BREAK_GLASS} break-glass users already.`);
  }
}
