import { requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { ProviderDto, UpdateProviderDto } from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Enforcement } from '../enforcement/enforcement.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { changesIn, settingsOf, shownFieldsOf, startsNewGeneration } from './provider-draft.ts';
import { providerView } from './provider.view.ts';
import { ProviderRules } from './provider-rules.ts';
import { clientSecretContext, type SsoProvider } from './sso-provider.entity.ts';
import { SsoProvidersRepository } from './sso-providers.repository.ts';

export interface UpdateProviderInput {
  readonly id: string;
  readonly body: UpdateProviderDto;
  /** Turns enforcement on although nobody has signed in through this configuration yet. */
  readonly force: boolean;
}

/** `PATCH /sso/providers/:id`. Another issuer needs a fresh discovery; without one nothing is saved. */
@Injectable()
export class UpdateProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: ProviderRules,
    private readonly providers: SsoProvidersRepository,
    private readonly enforcement: Enforcement,
    private readonly keys: KeyRing,
  ) {}

  async execute(caller: UserCaller, { id, body, force }: UpdateProviderInput): Promise<ProviderDto> {
    const updates = requireUpdates(body) as UpdateProviderDto;
    const current = await this.work.read(caller, (reader) => this.providers.get(reader, caller, id));
    this.rules.owners.requireMayChange(caller, current);
    const wanted = { ...settingsOf(updates), ...this.secretIn(current, updates) };
    await this.rules.requireValid(wanted, current);
    const changes = changesIn(current, { ...(await this.discovered(current, wanted)), ...wanted, ...this.roleChooser(caller, updates) });
    return this.work.run(caller, async (tx) => {
      await requireNotFrozen(tx, current.orgId);
      await this.rules.roles.require(tx, caller, current, updates.defaultRoleId);
      const configVersion = current.configVersion + (startsNewGeneration(changes) ? 1 : 0);
      const provider = await this.providers.update(tx, current, { ...changes, configVersion });
      const forced = await this.enforcement.applyChange(tx, { before: current, after: provider, force });
      tx.audit({
        action: 'sso.provider.update', resource: { type: 'sso_provider', id, name: provider.name }, partnerId: provider.partnerId, orgId: provider.orgId,
        details: { changedFields: shownFieldsOf(changes), ...(forced && { enforcementForced: true }) },
      });
      return providerView(provider);
    });
  }

  private secretIn({ id }: SsoProvider, { clientSecret }: UpdateProviderDto): Partial<SsoProvider> {
    return clientSecret ? { clientSecretSealed: this.keys.seal(clientSecret, clientSecretContext(id)) } : {};
  }

  /** Saving the role again renews who stands for it. */
  private roleChooser(caller: UserCaller, { defaultRoleId }: UpdateProviderDto): Partial<SsoProvider> {
    return defaultRoleId === undefined ? {} : { defaultRoleConfiguredBy: defaultRoleId === null ? null : caller.userId };
  }

  private async discovered(current: SsoProvider, wanted: Partial<SsoProvider>): Promise<Partial<SsoProvider>> {
    const { issuer, type } = { ...current, ...wanted };
    const isNew = wanted.issuer !== undefined && (wanted.issuer !== current.issuer || current.authorizationUrl === null);
    if (type !== 'oidc' || !isNew) return {};
    if (issuer === null) return { authorizationUrl: null, tokenUrl: null, userInfoUrl: null, jwksUrl: null, announcesIss: false };
    const { issuer: canonical, ...endpoints } = await this.rules.discovery.discover(issuer, current.id);
    wanted.issuer = canonical;
    return { ...endpoints, warnings: [] };
  }
}

