import { ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { ProviderRecord, ProviderStatus } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { missingSettings } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { announceProvider } from './announce-provider.ts';
import { Enforcement } from '../enforcement/enforcement.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireMayChange } from './settings/provider-owner.ts';
import { providerRecordOf } from './store/provider.view.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import type { SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

/** Returns the settings that a complete provider must have. */
export const settingsForCompleteness = (provider: SsoProvider): Record<string, unknown> => ({
  ...provider,
  clientSecret: provider.clientSecretSealed,
});

export interface SetProviderStatusInput {
  readonly id: string;
  readonly status: ProviderStatus;
  /** Starts enforcement although no user has signed in through this configuration yet. */
  readonly force: boolean;
}

/** `POST /sso/providers/:id/status`: any status may follow any other; `active` needs a complete configuration. */
@Injectable()
export class SetProviderStatus {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly providerTrust: ProviderTrust,
    private readonly enforcement: Enforcement,
  ) {}

  /**
   * @throws ProblemError role_not_grantable, sso_provider_incomplete, sso_enforcement_untested, organization_frozen,
   * version_conflict
   */
  execute(caller: UserCaller, { id, status, force }: SetProviderStatusInput): Promise<ProviderRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await this.ssoProvidersRepository.lock(tx, caller, id);
      requireMayChange(caller, current);
      await requireNotFrozen(tx, current.orgId);
      requireVersion(caller, current.version);
      const activates = status === 'active' && current.status !== 'active';
      if (activates) await this.providerTrust.requireMayConfigure(tx, caller, current);
      const missing = status === 'active' ? missingSettings(current.type, settingsForCompleteness(current)) : [];
      if (missing.length > 0)
        throw new ProblemError('sso_provider_incomplete', 'The provider is not fully configured.', { missing });
      const provider = await this.ssoProvidersRepository.update(tx, current, {
        ...this.nextGeneration(current, status),
        ...(activates && { trustedBy: caller.userId }),
      });
      const change = { before: current, after: provider };
      const forced = await this.enforcement.applyChange(tx, { ...change, force });
      const ended = await this.providerTrust.endWhatIsLost(tx, change);
      announceProvider(tx, provider);
      tx.audit({
        action: 'sso.provider.status.update',
        resource: { type: 'sso_provider', id, name: provider.name },
        partnerId: provider.partnerId,
        orgId: provider.orgId,
        details: { from: current.status, to: status, ...(forced && { enforcementForced: true }), ...ended },
      });
      return providerRecordOf(provider);
    });
  }

  /**
   * A change of status ends sign-ins in progress, but a tested configuration stays tested because it is the same one.
   */
  private nextGeneration(
    { configVersion, testedVersion, ...current }: SsoProvider,
    status: ProviderStatus,
  ): Partial<SsoProvider> {
    if (current.status === status) return { status };
    return {
      status,
      configVersion: configVersion + 1,
      testedVersion: testedVersion === configVersion ? configVersion + 1 : testedVersion,
    };
  }
}
