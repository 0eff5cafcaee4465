import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { ProviderWarningRecord } from '@gatehouse/contracts-identity';
import { entraTenantOf } from '@gatehouse/identity-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { type DescribedProvider, SamlMetadataService } from '../../saml-metadata/saml-metadata.service.ts';
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

/** The settings that a provider lacks and its metadata name. */
const lackingIn = (
  { entityId, ssoUrl, certificate }: Partial<SsoProvider>,
  document: DescribedProvider,
): Partial<SsoProvider> => ({
  ...(!entityId && { entityId: document.entityId }),
  ...(!ssoUrl && { ssoUrl: document.ssoUrl }),
  ...(!certificate && document.trustable && { certificate: document.trustable }),
});

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
    private readonly samlMetadata: SamlMetadataService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @param current the stored provider, if any */
  async requireValid(settings: Partial<SsoProvider>, current?: SsoProvider): Promise<void> {
    const { certificate } = settings;
    if (certificate) requireCertificatesUsable(() => requireStrongKeys(certificate, current?.certificate ?? null));
    requireSubjects({ ...current, ...settings });
    if (settings.metadataUrl && { ...current, ...settings }.type !== 'saml')
      throw invalid('metadataUrl', 'is for providers that use SAML');
    await this.endpointCheck.requireAllowed(settings);
  }

  /**
   * SSO-120: an address of metadata is saved only if they can be read. They fill what the provider lacks.
   * @throws ProblemError saml_metadata_invalid, saml_metadata_unreachable
   */
  async described(settings: Partial<SsoProvider>, current?: SsoProvider): Promise<Partial<SsoProvider>> {
    const { metadataUrl } = settings;
    if (metadataUrl === undefined || metadataUrl === current?.metadataUrl) return {};
    const anew = { metadataDueAt: null, metadataError: null, metadataFailedSince: null, metadataCheckedAt: null };
    if (metadataUrl === null) return anew;
    const document = await this.samlMetadata.describe(metadataUrl, current?.id ?? 'new provider');
    return { ...anew, metadataCheckedAt: new Date(), ...lackingIn({ ...current, ...settings }, document) };
  }

  discover(issuer: string, providerId: string): Promise<DiscoveredProvider> {
    return this.oidcDiscovery.discover(issuer, providerId);
  }

  /** A discovery whose failure is only a warning, unless it must succeed. */
  async tryToDiscover(issuer: string, providerId: string, mustSucceed = false): Promise<DiscoveryAttempt> {
    try {
      return { found: await this.discover(issuer, providerId), warnings: [] };
    } catch (error) {
      if (mustSucceed || !(error instanceof ProblemError)) throw error;
      this.log.warn(
        { err: error, provider: providerId, issuer },
        'OIDC discovery failed; the provider is created without endpoints',
      );
      return { found: {}, warnings: [{ code: error.code, detail: error.message }] };
    }
  }
}
