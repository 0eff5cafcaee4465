import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateProviderDto, ProviderRecord, ProviderWarningRecord } from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { newSettings } from './settings/provider-draft.ts';
import { providerView } from './store/provider.view.ts';
import { ProviderRules } from './settings/provider-rules.ts';
import { clientSecretContext, type SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

type NewProvider = Omit<SsoProvider, 'createdAt' | 'updatedAt'>;

const BLANK = {
  status: 'inactive',
  issuer: null,
  clientId: null,
  clientSecretSealed: null,
  defaultRoleId: null,
  defaultRoleConfiguredBy: null,
  allowedDomains: null,
  authorizationUrl: null,
  tokenUrl: null,
  userInfoUrl: null,
  jwksUrl: null,
  tokenAuthMethod: 'client_secret_basic',
  announcesIss: false,
  entityId: null,
  ssoUrl: null,
  certificate: null,
  weakKeysUntil: null,
  nameIdFormat: null,
  configVersion: 1,
  testedVersion: null,
} as const;

/** `POST /sso/providers`: creates the provider inactive; a failed discovery is only a warning. */
@Injectable()
export class CreateProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: ProviderRules,
    private readonly providers: SsoProvidersRepository,
    private readonly keys: KeyRing,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async execute(caller: UserCaller, body: CreateProviderDto): Promise<ProviderRecord> {
    const settings = newSettings(body);
    const owner = await this.work.read(caller, (reader) => this.rules.owners.choose(reader, caller, body));
    await this.rules.requireValid(settings);
    const draft = await this.draft(caller, owner, { body, settings });
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.rules.roles.require(tx, caller, owner, draft.defaultRoleId);
      const provider = await this.providers.insert(tx, draft);
      await this.rules.trust.requireMayConfigure(tx, caller, provider);
      tx.audit({
        action: 'sso.provider.create',
        resource: { type: 'sso_provider', id: provider.id, name: provider.name },
        ...owner,
        details: { type: provider.type, status: provider.status },
      });
      return providerView(provider);
    });
  }

  private async draft(
    caller: UserCaller,
    owner: Owner,
    { body, settings }: { body: CreateProviderDto; settings: Partial<SsoProvider> },
  ): Promise<NewProvider> {
    const id = newId();
    const { found, warnings } =
      body.type === 'oidc' && settings.issuer ? await this.discover(settings.issuer, id) : { found: {}, warnings: [] };
    return {
      ...BLANK,
      ...found,
      ...settings,
      id,
      partnerId: owner.partnerId,
      orgId: owner.orgId,
      ownerPartnerId: owner.orgId ? null : owner.partnerId,
      warnings,
      createdBy: caller.userId,
      ...(found.issuer && { issuer: found.issuer }),
      clientSecretSealed: body.clientSecret ? this.keys.seal(body.clientSecret, clientSecretContext(id)) : null,
      defaultRoleConfiguredBy: settings.defaultRoleId ? caller.userId : null,
    } as NewProvider;
  }

  private async discover(
    issuer: string,
    id: string,
  ): Promise<{ found: Partial<SsoProvider>; warnings: ProviderWarningRecord[] }> {
    try {
      return { found: await this.rules.discovery.discover(issuer, id), warnings: [] };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.log.warn(
        { err: error, provider: id, issuer },
        'OIDC discovery failed; the provider is created without endpoints',
      );
      return { found: {}, warnings: [{ code: error.code, detail: error.message }] };
    }
  }
}
