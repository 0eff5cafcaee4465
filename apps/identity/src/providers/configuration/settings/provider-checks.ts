import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { ProviderWarningRecord } from '@gatehouse/contracts-identity';
import { entraTenantOf } from '@gatehouse/identity-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { requireStrongKeys } from '../certificates/certificate-keys.ts';
import type { SsoProvider } from '../store/sso-provider.entity.ts';
import { EndpointCheck } from './endpoint-check.ts';
import { type DiscoveredProvider, OidcDiscovery } from './oidc-discovery.ts';
import { requireCertificatesUsable } from './provider-draft.ts';

/** What a discovery found, or why it found nothing. */
export interface DiscoveryAttempt {
  readonly found: Partial<DiscoveredProvider>;
  readonly warnings: ProviderWarningRecord[];
}

/** SSO-91: only the claims of one tenant are known to name its users for good. */
function requireSubjects({ type, issuer, subjectClaim }: Partial<SsoProvider>): void {
  if (subjectClaim === 'oid' && !(type === 'oidc' && entraTenantOf(issuer)))
    throw invalid('subjectClaim', 'must be "sub", unless the issuer is one tenant of Microsoft Entra ID');
}

/** The checks of settings that creating and updating a provider share. */
@Injectable()
export class ProviderChecks {
  constructor(
    private readonly oidcDiscovery: OidcDiscovery,
    private readonly endpointCheck: EndpointCheck,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @param current the stored provider, if any */
  async requireValid(settings: Partial<SsoProvider>, current?: SsoProvider): Promise<void> {
    const { certificate } = settings;
    if (certificate) requireCertificatesUsable(() => requireStrongKeys(certificate, current?.certificate ?? null));
    requireSubjects({ ...current, ...settings });
    await this.endpointCheck.requireAllowed(settings);
  }

  discover(issuer: string, providerId: string): Promise<DiscoveredProvider> {
    return this.oidcDiscovery.discover(issuer, providerId);
  }

  /** A discovery whose failure is only a warning. */
  async tryToDiscover(issuer: string, providerId: string): Promise<DiscoveryAttempt> {
    try {
      return { found: await this.discover(issuer, providerId), warnings: [] };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.log.warn(
        { err: error, provider: providerId, issuer },
        'OIDC discovery failed; the provider is created without endpoints',
      );
      return { found: {}, warnings: [{ code: error.code, detail: error.message }] };
    }
  }
}
