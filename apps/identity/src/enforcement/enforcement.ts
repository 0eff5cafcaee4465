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

/** Applies the start of enforcement: prevents an accidental lockout, and revokes the sessions that passwords opened. */
@Injectable()
export class Enforcement {
  constructor(
    private readonly governed: EnforcementRepository,
    private readonly revoke: RevokeSessions,
  ) {}

  /**
   * Applies whichever of enforcement and status is switched first, and again when an enforcing provider changes its
   * identity source.
   * @returns whether the rule that a provider must be tested first was overridden
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
