import { ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { ProviderTestResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { missingSettings } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { OidcDiscovery } from './settings/oidc-discovery.ts';
import { signingCertificates } from './certificates/certificate-keys.ts';
import { certificateRecordOf, readCertificates } from './certificates/saml-certificates.ts';
import { settingsForCompleteness } from './set-provider-status.ts';
import type { SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

/** `POST /sso/providers/:id/test`: runs discovery for OIDC and parses the certificates for SAML. It changes nothing. */
@Injectable()
export class TestProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly oidcDiscovery: OidcDiscovery,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<ProviderTestResponse> {
    requireWholeOrganization(caller);
    const provider = await this.work.read(caller, (reader) => this.ssoProvidersRepository.get(reader, caller, id));
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
