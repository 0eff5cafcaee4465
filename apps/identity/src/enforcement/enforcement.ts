import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { changesSource } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import type { SsoProvider } from '../sso-providers/sso-provider.entity.ts';
import { EnforcementRepository } from './enforcement.repository.ts';

interface ProviderChange {
  readonly before: SsoProvider;
  readonly after: SsoProvider;
}

const enforces = ({ status, enforceSso }: SsoProvider): boolean => status === 'active' && enforceSso;

/**
 * What follows when a provider begins to enforce: nobody may be locked out by accident, and passwords' sessions end.
 */
@Injectable()
export class Enforcement {
  constructor(
    private readonly governed: EnforcementRepository,
    private readonly revoke: RevokeSessions,
  ) {}

  /**
   * Holds in whatever order enforcement and status are switched, and again when an enforcing provider gets another
   * source.
   * @returns whether the tested-first rule was overridden
   * @throws ProblemError sso_enforcement_untested
   */
  async applyChange(tx: Tx, { before, after, force }: ProviderChange & { force: boolean }): Promise<boolean> {
    const goesOn = enforces(before) && !changesSource({ before, after });
    if (goesOn || !enforces(after)) return false;
    const isTested = after.testedVersion === after.configVersion;
    if (!isTested && !force)
      throw new ProblemError(
        'sso_enforcement_untested',
        'Nobody has signed in through this provider in its current configuration yet; do so first, or force it.',
      );
    await this.endPasswordSessions(tx, after);
    return !isTested;
  }

  private async endPasswordSessions(tx: Tx, provider: SsoProvider): Promise<void> {
    const people = await this.governed.governedBy(tx, provider);
    if (people.length > 0)
      await this.revoke.ofPasswordOrigin(
        tx,
        people.map(({ userId }) => userId),
      );
  }
}
