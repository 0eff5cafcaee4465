import { ProblemError, requireVersion, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ProviderRecord,
  type ProviderStatus,
  type ProviderTestResponse,
  SsoProviderChanged,
  type SsoProviderState,
} from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { missingSettings } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { X509Certificate } from 'node:crypto';
import { Enforcement } from '../enforcement/enforcement.ts';
import { WithdrawDeadOffers } from '../../people/offers/withdraw-dead-offers.ts';
import { RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { newEncryptionKey } from './certificates/encryption-key.ts';
import { signingCertificates } from './certificates/certificate-keys.ts';
import { certificateRecordOf, readCertificates } from './certificates/saml-certificates.ts';
import { OidcDiscovery } from './settings/oidc-discovery.ts';
import { trustChanges } from './settings/provider-draft.ts';
import { requireMayChange } from './settings/provider-owner.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { providerRecordOf } from './store/provider.view.ts';
import { encryptionKeysContext, type SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

type Endings = Pick<SsoProviderState, 'unlinkedUserId' | 'allUnlinked'> & { readonly deleted?: boolean };

/** Tells consoles, and the keepers of what its sessions made, that a provider or links at it have changed. */
export function announceProvider(tx: Tx, provider: SsoProvider, { deleted = false, ...unlinked }: Endings = {}): void {
  const { id, partnerId, orgId, status, enforceSso, version } = provider;
  tx.emit(
    SsoProviderChanged,
    {
      providerId: id,
      partnerId,
      orgId,
      status,
      enforceSSO: enforceSso,
      deleted,
      version: deleted ? version + 1 : version,
      ...unlinked,
    },
    { aggregateId: id },
  );
}

/** Returns the settings that a complete provider must have. */
export const settingsForCompleteness = (provider: SsoProvider): Record<string, unknown> => ({
  ...provider,
  clientSecret: provider.clientSecretSealed,
});

/** Returns our private keys (PEM) for assertions that the provider encrypts, the newest first. */
export const decryptionKeys = (keyRing: KeyRing, { id, encryptionKeysSealed }: SsoProvider): string[] =>
  encryptionKeysSealed === null
    ? []
    : (JSON.parse(keyRing.open(encryptionKeysSealed, encryptionKeysContext(id))) as string[]);

interface SetProviderStatusInput {
  readonly id: string;
  readonly status: ProviderStatus;
  /** Starts enforcement although no user has signed in through this configuration yet. */
  readonly force: boolean;
}

@Injectable()
export class SsoProvidersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly providerTrust: ProviderTrust,
    private readonly enforcement: Enforcement,
    private readonly oidcDiscovery: OidcDiscovery,
    private readonly keyRing: KeyRing,
  ) {}

  async get(caller: UserCaller, id: string): Promise<ProviderRecord> {
    return providerRecordOf(
      await this.work.read(caller, (reader) => this.ssoProvidersRepository.get(reader, caller, id)),
    );
  }

  /**
   * `DELETE /sso/providers/:id`: deletes the provider with its sign-in attempts, its identity links and the sessions
   * that it opened.
   */
  delete(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const provider = await this.ssoProvidersRepository.lock(tx, caller, id);
      requireMayChange(caller, provider);
      await requireOpenOwner(tx, provider);
      requireVersion(caller, provider.version);
      await this.revokeSessions.ofProvider(tx, id, 'sso_provider_deleted');
      await this.withdrawDeadOffers.ofProvider(tx, id);
      await this.ssoProvidersRepository.delete(tx, provider);
      announceProvider(tx, provider, { deleted: true });
      tx.audit({
        action: 'sso.provider.delete',
        resource: { type: 'sso_provider', id, name: provider.name },
        partnerId: provider.partnerId,
        orgId: provider.orgId,
        details: { changes: trustChanges(provider, null) },
      });
      return { success: true };
    });
  }

  /**
   * `POST /sso/providers/:id/encryption-key`: the key before it still decrypts, until the provider has the new
   * certificate.
   */
  async renewEncryptionKey(caller: UserCaller, id: string): Promise<ProviderRecord> {
    const { certificate, privateKey } = await newEncryptionKey();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await this.ssoProvidersRepository.lock(tx, caller, id);
      requireMayChange(caller, current);
      await requireOpenOwner(tx, current);
      requireVersion(caller, current.version);
      if (current.type !== 'saml')
        throw new ProblemError('sso_protocol_mismatch', 'Only SAML providers encrypt assertions.');
      const keys = [privateKey, ...decryptionKeys(this.keyRing, current).slice(0, 1)];
      const provider = await this.ssoProvidersRepository.update(tx, current, {
        encryptionCertificate: certificate,
        encryptionKeysSealed: this.keyRing.seal(JSON.stringify(keys), encryptionKeysContext(id)),
      });
      announceProvider(tx, provider);
      const [before, after] = [current, provider].map(
        ({ encryptionCertificate: pem }) => pem && certificateRecordOf(new X509Certificate(pem)).sha256,
      );
      tx.audit({
        action: 'sso.provider.update',
        resource: { type: 'sso_provider', id, name: provider.name },
        partnerId: provider.partnerId,
        orgId: provider.orgId,
        details: { changedFields: ['encryptionCertificate'], changes: { encryptionCertificate: { before, after } } },
      });
      return providerRecordOf(provider);
    });
  }

  /** `POST /sso/providers/:id/status`: any status may follow any other; `active` needs a complete configuration. */
  setProviderStatus(caller: UserCaller, input: SetProviderStatusInput): Promise<ProviderRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) =>
      providerRecordOf(await this.changeStatus(tx, caller, input)),
    );
  }

  /** Changes the status in a transaction that does more than that. */
  async changeStatus(tx: Tx, caller: UserCaller, { id, status, force }: SetProviderStatusInput): Promise<SsoProvider> {
    const current = await this.ssoProvidersRepository.lock(tx, caller, id);
    requireMayChange(caller, current);
    await requireOpenOwner(tx, current);
    requireVersion(caller, current.version);
    const activates = status === 'active' && current.status !== 'active';
    if (activates) await this.providerTrust.requireMayConfigure(tx, caller, current);
    const missing = status === 'active' ? missingSettings(current.type, settingsForCompleteness(current)) : [];
    if (missing.length > 0)
      throw new ProblemError('sso_provider_incomplete', 'The provider is not fully configured.', { missing });
    if (current.status === status) return current;
    const { configVersion, testedVersion } = current;
    // A change of status ends sign-ins in progress; what was tested stays tested, because it is the same configuration.
    const provider = await this.ssoProvidersRepository.update(tx, current, {
      status,
      configVersion: configVersion + 1,
      testedVersion: testedVersion === configVersion ? configVersion + 1 : testedVersion,
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
      details: {
        from: current.status,
        to: status,
        changes: trustChanges(current, provider),
        ...(forced && { enforcementForced: true }),
        ...ended,
      },
    });
    return provider;
  }

  /**
   * `POST /sso/providers/:id/test`: runs discovery for OIDC and parses the certificates for SAML. It changes nothing.
   */
  async test(caller: UserCaller, id: string): Promise<ProviderTestResponse> {
    const provider = await this.work.read(caller, (reader) => this.ssoProvidersRepository.get(reader, caller, id));
    requireWholeOrganization(caller);
    const outcome = await (provider.type === 'oidc' ? this.testOidc(provider) : this.testSaml(provider)).catch(
      (error: unknown) => error,
    );
    await this.record(caller, provider, outcome);
    if (outcome instanceof Error) throw outcome;
    return outcome as ProviderTestResponse;
  }

  private async testOidc({ id, issuer }: SsoProvider): Promise<ProviderTestResponse> {
    if (!issuer) throw new ProblemError('oidc_discovery_failed', 'OIDC discovery failed: the provider has no issuer.');
    const found = await this.oidcDiscovery.discover(issuer, id);
    const discovery = {
      issuer: found.issuer,
      authorizationEndpoint: found.authorizationUrl,
      tokenEndpoint: found.tokenUrl,
      userInfoEndpoint: found.userInfoUrl,
      jwksUri: found.jwksUrl,
    };
    return { success: true, message: 'Discovery succeeded.', discovery };
  }

  private async testSaml(provider: SsoProvider): Promise<ProviderTestResponse> {
    const missing = missingSettings('saml', settingsForCompleteness(provider));
    if (missing.length > 0)
      throw new ProblemError('saml_configuration_invalid', 'The provider is not fully configured.', { missing });
    const certificates = readCertificates(provider.certificate ?? '').map(certificateRecordOf);
    const expired = certificates.every(({ notAfter }) => Date.parse(notAfter) < Date.now());
    if (expired) throw new ProblemError('saml_configuration_invalid', 'Every signing certificate has expired.');
    const { strong, weak } = signingCertificates(provider);
    if (strong.length + weak.length === 0)
      throw new ProblemError('saml_configuration_invalid', 'Every signing certificate has a key that is too weak.');
    return {
      success: true,
      message: 'The configuration can be read.',
      saml: { entityId: provider.entityId ?? '', ssoUrl: provider.ssoUrl ?? '', certificates },
    };
  }

  private record(caller: UserCaller, { id, name, partnerId, orgId }: SsoProvider, outcome: unknown): Promise<void> {
    const failure =
      outcome instanceof ProblemError
        ? { result: 'failure' as const, details: { code: outcome.code } }
        : { details: {} };
    return this.work.once(caller, caller.idempotency, async (tx) =>
      tx.audit({
        action: 'sso.provider.test',
        resource: { type: 'sso_provider', id, name },
        partnerId,
        orgId,
        ...failure,
      }),
    );
  }
}
