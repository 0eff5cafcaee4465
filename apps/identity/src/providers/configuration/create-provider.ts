import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateProviderDto, ProviderRecord } from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { announceEnforcement } from './enforcement.service.ts';
import { announceProvider } from './sso-providers.service.ts';
import { newSettings, trustChanges } from './settings/provider-draft.ts';
import { ProviderOwner } from './settings/provider-owner.ts';
import { providerRecordOf } from './store/provider.view.ts';
import { ProviderChecks } from './settings/provider-checks.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { clientSecretContext, type SsoProvider } from './store/sso-provider.entity.ts';
import { type NewProvider, SsoProvidersRepository } from './store/sso-providers.repository.ts';

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
  encryptionCertificate: null,
  encryptionKeysSealed: null,
  nameIdFormat: null,
  metadataUrl: null,
  metadataPolicy: 'auto_certificates',
  clientSecretExpiresAt: null,
  metadataCheckedAt: null,
  metadataError: null,
  metadataFailedSince: null,
  metadataDueAt: null,
  pendingChangeId: null,
  verifiedCertificates: [],
  decidedCertificates: [],
  configVersion: 1,
  version: 1,
  testedVersion: null,
} as const;

export interface CreateOptions {
  /** Whether a failed discovery refuses the provider instead of being a warning. */
  readonly mustDiscover?: boolean;
  /** Runs in the transaction that creates the provider. */
  readonly created?: (tx: Tx, provider: SsoProvider) => Promise<void>;
}

/** What the settings of a provider are refused with. */
export const SETTINGS_PROBLEMS = [
  'role_not_grantable',
  'saml_configuration_invalid',
  'saml_metadata_invalid',
  'saml_metadata_unreachable',
] as const;

/** `POST /sso/providers`: creates the provider inactive; a failed discovery is only a warning. */
@Injectable()
export class CreateProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly providerOwner: ProviderOwner,
    private readonly providerChecks: ProviderChecks,
    private readonly providerTrust: ProviderTrust,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly keyRing: KeyRing,
  ) {}

  async create(caller: UserCaller, body: CreateProviderDto, options: CreateOptions = {}): Promise<ProviderRecord> {
    const settings = newSettings(body);
    const owner = await this.work.read(caller, (reader) => this.providerOwner.choose(reader, caller, body));
    await this.providerChecks.requireValid(settings);
    const members = { ...owner, id: newId(), defaultRoleId: null, enforceSso: settings.enforceSso ?? false };
    await this.work.read(caller, (reader) => this.providerTrust.requireMayConfigure(reader, caller, members));
    const described = await this.providerChecks.described(settings);
    const draft = await this.draft(caller, owner, { body, settings: { ...settings, ...described }, ...options });
    return this.work.once(caller, caller.idempotency, async (tx) => {
      // The owner may have been closed while the provider was asked.
      await requireOpenOwner(tx, owner);
      await this.providerTrust.requireMayGrant(tx, caller, owner, draft.defaultRoleId);
      const provider = await this.ssoProvidersRepository.insert(tx, draft);
      await this.providerTrust.requireMayConfigure(tx, caller, provider);
      announceProvider(tx, provider);
      if (provider.enforceSso) announceEnforcement(tx, provider, 'person');
      tx.audit({
        action: 'sso.provider.create',
        resource: { type: 'sso_provider', id: provider.id, name: provider.name },
        ...owner,
        details: { type: provider.type, status: provider.status, changes: trustChanges(null, provider) },
      });
      await options.created?.(tx, provider);
      return providerRecordOf(provider);
    });
  }

  private async draft(
    caller: UserCaller,
    owner: Owner,
    { body, settings, mustDiscover }: CreateOptions & { body: CreateProviderDto; settings: Partial<SsoProvider> },
  ): Promise<NewProvider> {
    const id = newId();
    const { found, warnings } =
      body.type === 'oidc' && settings.issuer
        ? await this.providerChecks.tryToDiscover(settings.issuer, id, mustDiscover)
        : { found: {}, warnings: [] };
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
      trustedBy: caller.userId,
      ...(found.issuer && { issuer: found.issuer }),
      clientSecretSealed: body.clientSecret ? this.keyRing.seal(body.clientSecret, clientSecretContext(id)) : null,
      defaultRoleConfiguredBy: settings.defaultRoleId ? caller.userId : null,
    } as NewProvider;
  }
}
