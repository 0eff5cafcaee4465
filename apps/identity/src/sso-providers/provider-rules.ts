import { Injectable } from '@nestjs/common';
import { readCertificates } from './saml-certificates.ts';
import { DefaultRoleCheck } from './default-role-check.ts';
import { EndpointCheck } from './endpoint-check.ts';
import { OidcDiscovery } from './oidc-discovery.ts';
import { requireCertificatesReadable } from './provider-draft.ts';
import { ProviderOwner } from './provider-owner.ts';
import type { SsoProvider } from './sso-provider.entity.ts';

/** What saving a provider is checked against, in one place for create and update. */
@Injectable()
export class ProviderRules {
  constructor(readonly owners: ProviderOwner, readonly roles: DefaultRoleCheck, readonly discovery: OidcDiscovery, private readonly endpoints: EndpointCheck) {}

  /** @throws Refusal validation_failed, saml_configuration_invalid */
  async requireValid(settings: Partial<SsoProvider>): Promise<void> {
    const { certificate } = settings;
    if (certificate) requireCertificatesReadable(() => readCertificates(certificate));
    await this.endpoints.requireAllowed(settings);
  }
}
