import { requireUpdates, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { ProviderRecord, UpdateProviderDto } from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { changesTrust, effectsOfChange } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { WithdrawDeadOffers } from '../../people/offers/withdraw-dead-offers.ts';
import { announceProvider } from './sso-providers.service.ts';
import { Enforcement } from '../enforcement/enforcement.ts';
import { announceEnforcement } from './enforcement.service.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import {
  changesIn,
  changesMetadata,
  settingsOf,
  shownFieldsOf,
  startsNewGeneration,
  trustChanges,
} from './settings/provider-draft.ts';
import { requireMayChange } from './settings/provider-owner.ts';
import { providerRecordOf } from './store/provider.view.ts';
import { ProviderChecks } from './settings/provider-checks.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { clientSecretContext, type SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';
import { SETTINGS_PROBLEMS } from './create-provider.ts';

export interface UpdateProviderInput {
  readonly id: string;
  readonly body: UpdateProviderDto & { readonly preset?: string | null };
  /** Starts enforcement although no user has signed in through this configuration yet. */
  readonly force: boolean;
  /** Refuses a provider that the caller may not change in its present state. */
  readonly check?: (current: SsoProvider) => void;
  /** Goes on in the transaction of the update. */
  readonly updated?: (tx: Tx, provider: SsoProvider) => Promise<SsoProvider>;
}

export interface ProviderChanges extends Pick<UpdateProviderInput, 'check'> {
  /** The provider from which the changes were computed. */
  readonly current: SsoProvider;
  readonly changes: Partial<SsoProvider>;
  readonly force: boolean;
  readonly confirmRelink: number | undefined;
  /** For a certificate beside those that are trusted: it ends no sign-in under way. */
  readonly keepsGeneration?: boolean;
}

/** What changed settings of a provider are refused with. */
export const UPDATE_PROBLEMS = [
  ...SETTINGS_PROBLEMS,
  'no_updates_provided',
  'oidc_discovery_failed',
  'links_would_break',
  'conflict',
] as const;

/** `PATCH /sso/providers/:id`. A new issuer requires discovery; if that fails, nothing is saved. */
@Injectable()
export class UpdateProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly providerChecks: ProviderChecks,
    private readonly providerTrust: ProviderTrust,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly enforcement: Enforcement,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly keyRing: KeyRing,
  ) {}

  async update(caller: UserCaller, { id, body, force, check, updated }: UpdateProviderInput): Promise<ProviderRecord> {
    const { confirmRelink, ...settings } = body;
    const updates = requireUpdates(settings) as UpdateProviderDto;
    const current = await this.work.read(caller, async (reader) => {
      const found = await this.ssoProvidersRepository.get(reader, caller, id);
      requireMayChange(caller, found);
      await requireOpenOwner(reader, found);
      return found;
    });
    check?.(current);
    const wanted = { ...settingsOf(updates), ...this.secretIn(current, updates) };
    await this.providerChecks.requireValid(wanted, current);
    if (changesTrust(changesIn(current, wanted))) await this.requireMayTry(caller, { ...current, ...wanted }, updates);
    const changes = changesIn(current, {
      ...(await this.discovered(current, wanted)),
      ...wanted,
      ...(await this.providerChecks.described(wanted, current)),
      ...this.roleChooser(caller, updates),
    });
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await requireOpenOwner(tx, current);
      await this.providerTrust.requireMayGrant(tx, caller, current, updates.defaultRoleId);
      const after = await this.apply(tx, caller, { current, changes, force, confirmRelink, check });
      return providerRecordOf(updated ? await updated(tx, after) : after);
    });
  }

  /** Refuses who may not change trust before the network is asked; another default role is checked with the change. */
  private requireMayTry(caller: UserCaller, after: SsoProvider, { defaultRoleId }: UpdateProviderDto): Promise<void> {
    const provider = defaultRoleId === undefined ? after : { ...after, defaultRoleId: null };
    return this.work.read(caller, (reader) => this.providerTrust.requireMayConfigure(reader, caller, provider));
  }

  /** Applies changes that were computed from `current`, with everything that a change of trust needs and ends. */
  async apply(
    tx: Tx,
    caller: UserCaller,
    { current, changes, force, confirmRelink, check, keepsGeneration }: ProviderChanges,
  ): Promise<SsoProvider> {
    const before = await this.ssoProvidersRepository.lock(tx, caller, current.id);
    requireVersion(caller, before.version);
    check?.(before);
    if (Object.keys(changes).length === 0) return before;
    const generation = this.generationOf(caller, { current, changes, keepsGeneration });
    const trust = changesTrust(changes) ? { trustedBy: caller.userId } : null;
    if (changesMetadata(changes)) await this.ssoProvidersRepository.supersedeHeldChange(tx, current.id);
    const after = await this.ssoProvidersRepository.update(tx, current, { ...changes, ...trust, ...generation });
    if (trust) await this.providerTrust.requireMayConfigure(tx, caller, after);
    await this.providerTrust.requireRelinkConfirmed(tx, { before, after }, confirmRelink);
    const forced = await this.enforcement.applyChange(tx, { before, after, force });
    const { links: allUnlinked } = effectsOfChange({ before, after });
    if (allUnlinked) await this.withdrawDeadOffers.ofProvider(tx, current.id);
    const ended = await this.providerTrust.endWhatIsLost(tx, { before, after });
    const { id, name, partnerId, orgId } = after;
    announceProvider(tx, after, allUnlinked ? { allUnlinked } : {});
    if (before.enforcementStage !== after.enforcementStage) announceEnforcement(tx, after, 'person');
    tx.audit({
      action: 'sso.provider.update',
      resource: { type: 'sso_provider', id, name },
      partnerId,
      orgId,
      details: {
        changedFields: shownFieldsOf(changes),
        changes: trustChanges(before, after),
        ...(forced && { enforcementForced: true }),
        ...ended,
      },
    });
    return after;
  }

  /**
   * A visitor of a set-up link knows the settings by their generation alone, so that their changes start one (SSO-165);
   * what was tested stays tested while the settings of the sign-in are the same. Another address of an active
   * provider's metadata ends no sign-in.
   */
  private generationOf(
    { setupVisit }: UserCaller,
    { current, changes, keepsGeneration }: Pick<ProviderChanges, 'current' | 'changes' | 'keepsGeneration'>,
  ): Partial<SsoProvider> {
    const { status, configVersion, testedVersion } = current;
    if (keepsGeneration) return {};
    if (startsNewGeneration(changes)) return { configVersion: configVersion + 1 };
    const isNews = status === 'active' ? 'clientSecretExpiresAt' in changes : Object.keys(changes).length > 0;
    if (!setupVisit || !isNews) return {};
    return {
      configVersion: configVersion + 1,
      ...(testedVersion === configVersion && { testedVersion: configVersion + 1 }),
    };
  }

  private secretIn({ id }: SsoProvider, { clientSecret }: UpdateProviderDto): Partial<SsoProvider> {
    return clientSecret ? { clientSecretSealed: this.keyRing.seal(clientSecret, clientSecretContext(id)) } : {};
  }

  /** Saving the role, even unchanged, records the caller as the administrator who chose it. */
  private roleChooser(caller: UserCaller, { defaultRoleId }: UpdateProviderDto): Partial<SsoProvider> {
    return defaultRoleId === undefined
      ? {}
      : { defaultRoleConfiguredBy: defaultRoleId === null ? null : caller.userId };
  }

  private async discovered(current: SsoProvider, wanted: Partial<SsoProvider>): Promise<Partial<SsoProvider>> {
    const { issuer, type } = { ...current, ...wanted };
    const isNew =
      wanted.issuer !== undefined && (wanted.issuer !== current.issuer || current.authorizationUrl === null);
    if (type !== 'oidc' || !isNew) return {};
    if (issuer === null)
      return {
        authorizationUrl: null,
        tokenUrl: null,
        userInfoUrl: null,
        jwksUrl: null,
        announcesIss: false,
        warnings: [],
      };
    const { issuer: canonical, ...endpoints } = await this.providerChecks.discover(issuer, current.id);
    wanted.issuer = canonical;
    return { ...endpoints, warnings: [] };
  }
}
