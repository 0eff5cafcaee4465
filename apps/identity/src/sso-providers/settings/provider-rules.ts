import { Injectable } from '@nestjs/common';
import { requireStrongKeys } from '../certificates/certificate-keys.ts';
import { DefaultRoleCheck } from './default-role-check.ts';
import { EndpointCheck } from './endpoint-check.ts';
import { OidcDiscovery } from './oidc-discovery.ts';
import { requireCertificatesUsable } from './provider-draft.ts';
import { ProviderOwner } from './provider-owner.ts';
import { ProviderTrust } from './provider-trust.ts';
import type { SsoProvider } from '../store/sso-provider.entity.ts';

/** The checks that creating and updating a provider share. */
@Injectable()
export class ProviderRules {
  constructor(
    readonly owners: ProviderOwner,
    readonly roles: DefaultRoleCheck,
    readonly trust: ProviderTrust,
    readonly discovery: OidcDiscovery,
    private readonly endpoints: EndpointCheck,
  ) {}

  /**
   * @param current the stored provider, if any
   * @throws ProblemError validation_failed, saml_configuration_invalid
   */
  async requireValid(settings: Partial<SsoProvider>, current?: SsoProvider): Promise<void> {
    const { certificate } = settings;
    if (certificate) requireCertificatesUsable(() => requireStrongKeys(certificate, current?.certificate ?? null));
    await this.endpoints.requireAllowed(settings);
  }
}
