import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { changesSource, type SignInSettings } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { EnforcementRepository } from './enforcement.repository.ts';

/** The members of a provider on which enforcement depends. */
interface EnforcingProvider extends SignInSettings {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly enforceSso: boolean;
  readonly configVersion: number;
  readonly testedVersion: number | null;
}

interface ProviderChange {
  readonly before: EnforcingProvider;
  readonly after: EnforcingProvider;
  /** Starts enforcement although no user has signed in through this configuration yet. */
  readonly force: boolean;
}

const enforces = ({ status, enforceSso }: EnforcingProvider): boolean => status === 'active' && enforceSso;

/** SSO-43. @returns whether the rule was overridden */
export function requireTested({ testedVersion, configVersion }: EnforcingProvider, force: boolean): boolean {
  const isTested = testedVersion === configVersion;
  if (!isTested && !force)
    throw new ProblemError(
      'sso_enforcement_untested',
      'No user has signed in with the current configuration of this provider; sign in first, or force it.',
    );
  return !isTested;
}

/** Applies the start of enforcement: prevents an accidental lockout, and revokes the sessions that passwords opened. */
@Injectable()
export class Enforcement {
  constructor(
    private readonly enforcementRepository: EnforcementRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /**
   * Applies whichever of enforcement and status is switched first, and again when an enforcing provider changes its
   * identity source.
   * @returns whether the rule that a provider must be tested first was overridden
   */
  async applyChange(tx: Tx, { before, after, force }: ProviderChange): Promise<boolean> {
    const goesOn = enforces(before) && !changesSource({ before, after });
    if (goesOn || !enforces(after)) return false;
    const forced = requireTested(after, force);
    await this.endPasswordSessions(tx, after);
    return forced;
  }

  private async endPasswordSessions(tx: Tx, provider: EnforcingProvider): Promise<void> {
    const people = await this.enforcementRepository.governed(tx, provider);
    const userIds = people.map(({ userId }) => userId);
    if (userIds.length > 0) await this.revokeSessions.ofPasswordOrigin(tx, userIds);
  }
}
